// The words of SQL that decide what the names behind them are.

/** Words that begin a clause of a block. */
export const CLAUSES = new Set(
  'select from join on using where group having order limit offset window set values returning update into table references'.split(
    ' ',
  ),
);
export const TABLE_FOLLOWS = new Set(['from', 'join', 'into', 'update', 'table', 'references']);
export const COMBINES = new Set(['union', 'intersect', 'except']);
export const BEGINS_QUERY = new Set(['select', 'with', 'values']);
/** Words after a table that are no alias. */
export const NO_ALIAS = new Set(
  (
    'on using where join left right inner outer cross natural full group order limit having union intersect except set window ' +
    'indexed not returning values select default do begin when for add rename drop alter'
  ).split(' '),
);
