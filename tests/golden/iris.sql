CASE
  WHEN CAST("petal length" AS DOUBLE PRECISION) <= 2.45 THEN 'setosa'
  WHEN CAST("petal width" AS DOUBLE PRECISION) <= 1.75 THEN 'versicolor'
  ELSE 'virginica'
END
