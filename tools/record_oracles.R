# Fit rpart to the tables that tools/record_oracles.py wrote and write what it found as JSON:
# Rscript tools/record_oracles.R FOLDER. Row i (from 1) is in fold ((i - 1) mod 10) + 1.

library(rpart)
library(jsonlite)

folder <- commandArgs(trailingOnly = TRUE)[1]

read_table <- function(name) {
  table <- read.csv(file.path(folder, paste0(name, ".csv")),
    stringsAsFactors = FALSE, na.strings = "", check.names = FALSE
  )
  for (column in names(table)) {
    if (is.character(table[[column]]) || is.logical(table[[column]])) {
      text <- as.character(table[[column]])
      table[[column]] <- factor(text, levels = sort(unique(text), method = "radix"))
    }
  }
  table
}

surrogates <- function(rows, names) {
  lapply(seq_len(nrow(rows)), function(i) {
    list(
      var = names[i], ncat = rows[i, "ncat"], agree = rows[i, "improve"], adj = rows[i, "adj"],
      index = rows[i, "index"]
    )
  })
}

nodes_of <- function(fit) {
  frame <- fit$frame
  classes <- attr(fit, "ylevels")
  row <- 1
  found <- list()
  for (i in seq_len(nrow(frame))) {
    node <- list(
      node = as.integer(rownames(frame)[i]), var = as.character(frame$var[i]), n = frame$n[i],
      wt = frame$wt[i], dev = frame$dev[i], yval = frame$yval[i]
    )
    if (!is.null(classes)) {
      node$yval <- classes[frame$yval[i]]
      node$counts <- I(as.vector(frame$yval2[i, 1 + seq_along(classes)]))
    }
    if (node$var != "<leaf>") {
      split <- fit$splits[row, ]
      node$split <- list(ncat = split[["ncat"]], improve = split[["improve"]], index = split[["index"]])
      if (split[["ncat"]] > 1) {
        node$split$csplit <- I(as.vector(fit$csplit[split[["index"]], seq_len(split[["ncat"]])]))
      }
      first <- row + 1 + frame$ncompete[i]
      behind <- seq_len(frame$nsurrogate[i]) + first - 1
      names <- rownames(fit$splits)[behind]
      node$surrogate <- surrogates(fit$splits[behind, , drop = FALSE], names)
      row <- first + frame$nsurrogate[i]
    }
    found[[i]] <- node
  }
  found
}

record <- function(table, target, ..., control = list(), weights = NULL, folds = FALSE) {
  if (folds) control$xval <- (seq_len(nrow(table)) - 1) %% 10 + 1 else control$xval <- 0
  values <- list(
    formula = as.formula(paste(target, "~ .")), data = table,
    control = do.call(rpart.control, control), ...
  )
  values$weights <- weights
  fit <- do.call(rpart, values)
  control <- fit$control[c("minsplit", "minbucket", "cp", "maxdepth", "usesurrogate")]
  control$xval <- if (folds) "folds" else 0
  entry <- list(
    control = control, cptable = as.data.frame(fit$cptable), nodes = nodes_of(fit),
    importance = as.list(fit$variable.importance),
    leaf_of_row = as.integer(rownames(fit$frame)[fit$where])
  )
  if (!is.null(attr(fit, "ylevels"))) entry$levels <- attr(fit, "ylevels")
  entry
}

iris3 <- read_table("iris")
with_levels <- data.frame(
  Sepal.Width = iris3$sepal_width,
  PLcat = factor(as.character(as.integer(iris3$petal_length))), target = iris3$target
)
wine <- read_table("wine")
cancer <- read_table("cancer")
diabetes <- read_table("diabetes")
households <- read_table("households")
loans <- read_table("loans")
rates <- read_table("rates")
pure <- list(cp = 0, minsplit = 2, minbucket = 1)

fits <- list(
  rpart_iris_default = record(iris3, "target"),
  rpart_iris_full = record(iris3, "target", control = pure),
  rpart_iris_xval = record(iris3, "target", control = pure, folds = TRUE),
  rpart_iris_cat = record(with_levels, "target", control = c(pure, maxdepth = 3)),
  rpart_wine_default = record(wine, "target", method = "class"),
  rpart_wine_cp0 = record(wine, "target", method = "class", control = pure),
  rpart_cancer_default = record(cancer, "target"),
  rpart_cancer_xval = record(cancer, "target", control = list(cp = 0.001, minsplit = 10), folds = TRUE),
  rpart_diabetes_anova = record(diabetes, "target", method = "anova"),
  rpart_households_default = record(households, "target"),
  rpart_households_prior = record(households, "target",
    parms = list(prior = c(0.65, 0.35), split = "information")
  ),
  rpart_households_loss = record(households, "target",
    parms = list(loss = matrix(c(0, 3, 1, 0), nrow = 2))
  ),
  rpart_households_weights = record(households, "target",
    weights = rep_len(c(1, 2, 0.5), nrow(households))
  ),
  rpart_loans_default = record(loans, "target"),
  rpart_rates_anova = record(rates, "target", method = "anova"),
  rpart_households_stop = record(households, "target", control = list(usesurrogate = 0)),
  rpart_households_surrogate_or_stop = record(households, "target", control = list(usesurrogate = 1)),
  rpart_rates_stop = record(rates, "target", method = "anova", control = list(usesurrogate = 0)),
  rpart_rates_surrogate_or_stop = record(rates, "target",
    method = "anova", control = list(usesurrogate = 1)
  )
)

versions <- list(R = paste(R.version$major, R.version$minor, sep = "."), rpart = as.character(packageVersion("rpart")))
result <- list(versions = versions, rpart = fits)
write(toJSON(result, auto_unbox = TRUE, digits = I(13), dataframe = "rows"), file.path(folder, "rpart.json"))
