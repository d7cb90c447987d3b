// Expressions over whatever columns are in reach: operators, functions, casts, collations, dates, formats, JSON.
import type { Random } from '#shared/random.ts';
import { LITERALS, PATTERNS } from './generated-database.test-suite.ts';
import type { Dialect } from './option-differences.test-suite.ts';

const COLLATIONS = ['BINARY', 'NOCASE', 'RTRIM'];
const TYPES = ['INTEGER', 'REAL', 'TEXT', 'BLOB', 'NUMERIC'];
const COMPARISONS = ['=', '<>', '<', '<=', '>', '>=', 'IS', 'IS NOT', 'IS DISTINCT FROM'];
const ARITHMETIC = ['+', '-', '*', '/', '%', '&', '|', '<<', '>>', '||'];
const FORMATS = [
  '%d',
  '%5d|%-5d',
  '%+.3f',
  '%10.2e',
  '%g',
  '%x',
  '%s',
  '%.3s',
  '%q',
  '%Q',
  '%c',
  '%,d',
  '%08.1f',
  '%!.17g',
  '%z',
];
const MOMENTS = [
  "'2024-02-29 12:34:56.789'",
  "'1999-12-31'",
  '2460000.5',
  "'12:00'",
  "'2024-03-10T23:59:59Z'",
  "'2024-01-01 00:00+05:30'",
];
const MODIFIERS = [
  "'+1 month'",
  "'start of year'",
  "'-10 days'",
  "'weekday 3'",
  "'+1.5 hours'",
  "'ceiling'",
  "'unixepoch'",
  "'subsec'",
  "'-0001-02-03'",
];
const STRFTIME = ["'%Y-%m-%d %H:%M:%f'", "'%j %U %W %w %u'", "'%G-%V %s %J'", "'%F %T %I %p %e %k %l'"];
const DOCUMENTS = [
  `'{"a":[1,2.5,"x",null,true],"b":{"c":"é"},"d":9007199254740993}'`, "'[1,[2,[3]],{}]'", "'\"text\"'", "'{a:1,}'", "'not json'", "'3.0'",
]; // prettier-ignore
const PATHS = ["'$'", "'$.a'", "'$.a[1]'", "'$.b.c'", "'$.a[#-1]'", "'$.missing'", "'$.d'", "'$[1]'"];

/** One argument, any value; what may fail does so on both engines in the same words. */
const UNARY_FUNCTIONS = [
  'typeof', 'length', 'octet_length', 'upper', 'lower', 'hex', 'quote', 'unicode', 'trim', 'ltrim', 'rtrim', 'sign', 'round', 'ceil',
  'floor', 'trunc', 'likely', 'json_quote', 'unhex', 'sqrt', 'degrees', 'radians', 'json_valid', 'char',
]; // prettier-ignore
/** Functions computed by the C library. */
const INEXACT = ['exp', 'ln', 'log10', 'log2', 'sin', 'cos', 'tan', 'atan', 'asinh', 'tanh'];

export class Expressions {
  readonly #random: Random;
  readonly #dialect: Dialect;

  constructor(random: Random, dialect: Dialect) {
    this.#random = random;
    this.#dialect = dialect;
  }

  /** @param columns in reach, as they are written */
  value(columns: readonly string[], depth = 2): string {
    const random = this.#random;
    if (depth <= 0 || random.chance(0.25)) return random.chance(0.75) ? random.pick(columns) : random.pick(LITERALS);
    const inner = (): string => this.value(columns, depth - 1);
    switch (random.between(0, 12)) {
      case 0:
      case 1:
        return `(${inner()} ${random.pick(ARITHMETIC)} ${inner()})`;
      case 2:
        return `CAST(${inner()} AS ${random.pick(TYPES)})`;
      case 3:
        return `CASE WHEN ${this.condition(columns, depth - 1)} THEN ${inner()} ELSE ${inner()} END`;
      case 4:
        return `${random.pick(UNARY_FUNCTIONS)}(${inner()})`;
      case 5:
        return this.#text(inner);
      case 6:
        return `format('[' || '${random.pick(FORMATS)}' || ']', ${inner()}, ${inner()})`;
      case 7:
        return this.#moment();
      case 8:
        return this.#document(inner);
      case 9:
        return `(${random.pick(['-', '+', '~', 'NOT '])}${inner()})`;
      case 10:
        return this.#dialect.inexact(`${random.pick(INEXACT)}(${inner()})`);
      case 11:
        return `(${this.condition(columns, depth - 1)})`;
      default:
        return `${random.pick(['coalesce', 'ifnull', 'nullif', 'min', 'max', 'concat', 'instr', 'mod', 'likelihood0'])}(${inner()}, ${inner()})`.replace(
          'likelihood0',
          'iif',
        );
    }
  }

  condition(columns: readonly string[], depth = 2): string {
    const random = this.#random;
    const inner = (): string => this.value(columns, depth - 1);
    switch (depth <= 0 ? 0 : random.between(0, 7)) {
      case 0:
      case 1:
        return `${inner()} ${random.pick(COMPARISONS)} ${inner()}`;
      case 2:
        return `${inner()} ${random.pick(['IS NULL', 'NOTNULL'])}`;
      case 3:
        return `${inner()} ${random.pick(['', 'NOT '])}BETWEEN ${inner()} AND ${inner()}`;
      case 4:
        return `${inner()} IN (${inner()}, ${random.pick(LITERALS)}, ${random.pick(LITERALS)})`;
      case 5:
        return this.#dialect.like(inner(), random.pick(['LIKE', 'GLOB', 'NOT LIKE']), random.pick(PATTERNS));
      case 6:
        return `${inner()} ${random.pick(COMPARISONS)} ${inner()} COLLATE ${random.pick(COLLATIONS)}`;
      default:
        return `(${this.condition(columns, depth - 1)} ${random.pick(['AND', 'OR'])} ${this.condition(columns, depth - 1)})`;
    }
  }

  #text(inner: () => string): string {
    const random = this.#random;
    const index = (): number => random.between(-4, 6);
    switch (random.between(0, 3)) {
      case 0:
        return `substr(${inner()}, ${index()}, ${index()})`;
      case 1:
        return `replace(${inner()}, ${inner()}, ${inner()})`;
      case 2:
        return `concat_ws('·', ${inner()}, ${inner()}, ${inner()})`;
      default:
        return `trim(${inner()}, ${inner()})`;
    }
  }

  #moment(): string {
    const random = this.#random;
    const [moment, other] = [random.pick(MOMENTS), random.pick(MOMENTS)];
    const modifiers = Array.from({ length: random.between(0, 2) }, () => `, ${random.pick(MODIFIERS)}`).join('');
    if (random.chance(0.2)) return `timediff(${moment}, ${other})`;
    if (random.chance(0.3)) return `strftime(${random.pick(STRFTIME)}, ${moment}${modifiers})`;
    return `${random.pick(['date', 'time', 'datetime', 'julianday', 'unixepoch'])}(${moment}${modifiers})`;
  }

  #document(inner: () => string): string {
    const random = this.#random;
    const [document, path] = [random.pick(DOCUMENTS), random.pick(PATHS)];
    switch (random.between(0, 6)) {
      case 0:
        return `(${document} ${random.pick(['->', '->>'])} ${path})`;
      case 1:
        return `json_extract(${document}, ${path}, ${random.pick(PATHS)})`;
      case 2:
        return `json_type(${document}, ${path})`;
      case 3:
        return `${random.pick(['json_set', 'json_insert', 'json_replace'])}(${document}, ${path}, ${inner()})`;
      case 4:
        return `json_array(${inner()}, ${inner()})`;
      case 5:
        return `hex(jsonb(${document}))`;
      default:
        return `json_error_position(${document})`;
    }
  }
}
