// SQLite's functions with their arguments, as completion and hovers show them. A test compares them with what an engine reports.

export interface SqlFunction {
  readonly name: string;
  /** Arguments as in SQLite's documentation: `?` after an optional argument, `…` for any number of them. */
  readonly args: string;
  readonly text: string;
}

/** One per line: `name(arguments) what it returns`. From sqlite.org: lang_corefunc, lang_aggfunc, windowfunctions, lang_mathfunc, lang_datefunc, json1, fts5. */
const LIST = `
abs(X) absolute value of X
acos(X) arccosine of X, in radians
acosh(X) hyperbolic arccosine of X
asin(X) arcsine of X, in radians
asinh(X) hyperbolic arcsine of X
atan(X) arctangent of X, in radians
atan2(Y, X) arctangent of Y/X, in the quadrant of the point
atanh(X) hyperbolic arctangent of X
avg(X) mean of all values that are not NULL
bm25(table, weight…) rank of the current row in an FTS5 search, smaller is better
ceil(X) smallest integer not less than X
ceiling(X) smallest integer not less than X
changes() rows changed by the last INSERT, UPDATE, or DELETE
char(code…) text of the given Unicode code points
coalesce(X, Y…) first argument that is not NULL
concat(X…) all arguments as one text, NULL as nothing
concat_ws(separator, X…) all arguments that are not NULL, with the separator between them
cos(X) cosine of X radians
cosh(X) hyperbolic cosine of X
count(X?) number of rows in which X is not NULL, or of all rows
cume_dist() share of the partition up to the current row
date(time?, modifier…) date as YYYY-MM-DD
datetime(time?, modifier…) date and time as YYYY-MM-DD HH:MM:SS
degrees(X) radians as degrees
dense_rank() rank of the row without gaps
exp(X) e to the power of X
first_value(X) X of the first row of the frame
floor(X) largest integer not greater than X
format(format, value…) text formatted as by printf
glob(pattern, X) 1 if X matches the pattern, as X GLOB pattern
group_concat(X, separator?) all values that are not NULL as one text
hex(X) bytes of X as hexadecimal text
highlight(table, column, open, close) text of an FTS5 column with its matches marked
if(condition, value…) value of the first condition that is true
ifnull(X, Y) X, or Y if X is NULL
iif(condition, value…) value of the first condition that is true
instr(X, Y) 1-based position of the first Y in X, or 0
json(X) X as minified JSON, after validation
json_array(value…) JSON array of the arguments
json_array_length(json, path?) number of elements of a JSON array
json_error_position(X) position of the first syntax error in X, or 0
json_extract(json, path…) value at the path
json_group_array(X) JSON array of all values of the group
json_group_object(name, value) JSON object of all pairs of the group
json_insert(json, path, value…) JSON with values added where there were none
json_object(name, value…) JSON object of the pairs
json_patch(json, patch) JSON with an RFC 7396 patch applied
json_pretty(json, indent?) JSON with line breaks and indentation
json_quote(X) X as a JSON value
json_remove(json, path…) JSON without what is at the paths
json_replace(json, path, value…) JSON with existing values replaced
json_set(json, path, value…) JSON with values replaced or added
json_type(json, path?) type of the value: object, array, text, integer, real, true, false, null
json_valid(X, flags?) 1 if X is well-formed JSON
jsonb(X) X as JSONB
jsonb_array(value…) JSONB array of the arguments
jsonb_extract(json, path…) value at the path, containers as JSONB
jsonb_group_array(X) JSONB array of all values of the group
jsonb_group_object(name, value) JSONB object of all pairs of the group
jsonb_insert(json, path, value…) JSONB with values added where there were none
jsonb_object(name, value…) JSONB object of the pairs
jsonb_patch(json, patch) JSONB with an RFC 7396 patch applied
jsonb_remove(json, path…) JSONB without what is at the paths
jsonb_replace(json, path, value…) JSONB with existing values replaced
jsonb_set(json, path, value…) JSONB with values replaced or added
julianday(time?, modifier…) days since noon of November 24, 4714 BC
lag(X, offset?, default?) X of a row before the current one
last_insert_rowid() rowid of the last row inserted through this connection
last_value(X) X of the last row of the frame
lead(X, offset?, default?) X of a row after the current one
length(X) characters of a text, or bytes of a BLOB
like(pattern, X, escape?) 1 if X matches the pattern, as X LIKE pattern
likelihood(X, probability) X, with a hint for the query planner
likely(X) X, with the hint that it is usually true
ln(X) natural logarithm of X
log(base?, X) logarithm of X, base 10 unless given
log10(X) base-10 logarithm of X
log2(X) base-2 logarithm of X
lower(X) text with ASCII letters in lower case
ltrim(X, characters?) text without spaces, or the given characters, at its start
max(X, Y…) largest argument, or with one argument the largest value of the group
median(X) median of the values that are not NULL
min(X, Y…) smallest argument, or with one argument the smallest value of the group
mod(X, Y) remainder of X divided by Y
nth_value(X, N) X of the Nth row of the frame
ntile(N) number of the row's group when the partition is divided into N
nullif(X, Y) X, or NULL if X equals Y
octet_length(X) bytes of X
percent_rank() rank of the row from 0.0 to 1.0
percentile(X, P) value below which P percent of the values are
pi() the number pi
pow(X, Y) X to the power of Y
power(X, Y) X to the power of Y
printf(format, value…) text formatted as by printf
quote(X) X as an SQL literal
radians(X) degrees as radians
random() random 64-bit integer
randomblob(N) BLOB of N random bytes
rank() rank of the row with gaps
regexp(pattern, X) whether X matches a regular expression, as X REGEXP pattern
replace(X, Y, Z) X with every Y replaced by Z
replace_nocase(X, Y, Z) X with every Y replaced by Z, where A to Z equal a to z
round(X, digits?) X rounded to the given number of digits
row_number() number of the row in its partition
rtrim(X, characters?) text without spaces, or the given characters, at its end
sign(X) -1, 0, or +1
sin(X) sine of X radians
sinh(X) hyperbolic sine of X
snippet(table, column, open, close, ellipsis, tokens) part of an FTS5 column around its matches
soundex(X) Soundex code of X
sqlite_version() version of SQLite
sqrt(X) square root of X
strftime(format, time?, modifier…) date and time in the given format
string_agg(X, separator) all values that are not NULL as one text
substr(X, start, length?) part of a text or BLOB, from the 1-based position on
substring(X, start, length?) part of a text or BLOB, from the 1-based position on
sum(X) sum of all values that are not NULL, NULL if there are none
tan(X) tangent of X radians
tanh(X) hyperbolic tangent of X
time(time?, modifier…) time as HH:MM:SS
timediff(A, B) difference between two times, to be added to B
total(X) sum of all values that are not NULL as a real, 0.0 if there are none
total_changes() rows changed since the connection was opened
trim(X, characters?) text without spaces, or the given characters, at both ends
trunc(X) X without its fraction
typeof(X) storage class: null, integer, real, text, or blob
unhex(X, ignored?) BLOB of the hexadecimal text X, or NULL
unicode(X) code point of the first character
unistr(X) text with its Unicode escapes decoded
unixepoch(time?, modifier…) seconds since 1970-01-01 00:00:00 UTC
unlikely(X) X, with the hint that it is usually false
upper(X) text with ASCII letters in upper case
zeroblob(N) BLOB of N zero bytes
`;

const read = (list: string): readonly SqlFunction[] =>
  list
    .trim()
    .split('\n')
    .map((line) => {
      const [, name = '', args = '', text = ''] = /^(\w+)\(([^)]*)\) (.*)$/.exec(line) ?? [];
      return { name, args, text };
    });

export const FUNCTIONS: readonly SqlFunction[] = read(LIST);

/** Functions that stand for a table in FROM, with the columns that are not hidden. */
export const TABLE_FUNCTIONS: readonly (SqlFunction & { readonly columns: readonly string[] })[] = [
  ...read(`
json_each(json, path?) one row for each element of an array or object
json_tree(json, path?) one row for each value within, at any depth
`).map((each) => ({ ...each, columns: ['key', 'value', 'type', 'atom', 'id', 'parent', 'fullkey', 'path'] })),
  ...Object.entries({
    table_info: ['cid', 'name', 'type', 'notnull', 'dflt_value', 'pk'],
    table_xinfo: ['cid', 'name', 'type', 'notnull', 'dflt_value', 'pk', 'hidden'],
    table_list: ['schema', 'name', 'type', 'ncol', 'wr', 'strict'],
    index_list: ['seq', 'name', 'unique', 'origin', 'partial'],
    index_info: ['seqno', 'cid', 'name'],
    index_xinfo: ['seqno', 'cid', 'name', 'desc', 'coll', 'key'],
    foreign_key_list: ['id', 'seq', 'table', 'from', 'to', 'on_update', 'on_delete', 'match'],
    foreign_key_check: ['table', 'rowid', 'parent', 'fkid'],
    function_list: ['name', 'builtin', 'type', 'enc', 'narg', 'flags'],
    collation_list: ['seq', 'name'],
    compile_options: ['compile_options'],
  }).map(([name, columns]) => ({
    name: `pragma_${name}`,
    args: /list$|options/.test(name) && !/index|key/.test(name) ? '' : 'name',
    text: `what PRAGMA ${name} returns`,
    columns,
  })),
];

const byName = new Map([...FUNCTIONS, ...TABLE_FUNCTIONS].map((each) => [each.name, each]));

export const functionNamed = (name: string): SqlFunction | undefined => byName.get(name.toLowerCase());
