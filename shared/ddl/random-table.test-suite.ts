// CREATE TABLE statements for tests, a function of their seed: all features of SQLite, names in all quotes, comments in odd places.
import type { Random } from '../random.ts';
import { writeName } from './names.ts';

const NAMES = [
  'id', 'name', 'amount', 'a', 'b', 'key', 'end', 'like', 'generated', 'always', 'stored', 'strict', 'window', 'over', 'filter', 'current',
  'select', 'order', 'CHECK', 'primary', 'not null', 'with space', 'a"b', "it's", 'a`b', 'a[b', '(', ')', ',', ';', '--x', '/*', '*/', 'ünï',
  '日本', '\u{1f600}', '1st', 'a.b', '$x', 'x$', 'Id2', 'values', 'current_date', 'a\nb', 'null', 'rowid', 'text', 'asc', 'collate',
]; // prettier-ignore
const TYPES = [
  'INTEGER',
  'int',
  'TEXT',
  'BLOB',
  'REAL',
  'NUMERIC',
  'VARCHAR(20)',
  'DECIMAL( 10 , -2 )',
  'double precision',
  'POINT',
  'CHARINT',
];
const STRICT_TYPES = ['INTEGER', 'INT', 'TEXT', 'BLOB', 'REAL', 'ANY'];
const COMMENTS = ['/* a, (b */', '/**/', "-- it's, (x\n", '--\n', '/* CHECK (0) -- */', '/* "x */'];
const ACTIONS = ['SET NULL', 'SET DEFAULT', 'CASCADE', 'RESTRICT', 'NO ACTION'];
const CONFLICTS = ['ROLLBACK', 'ABORT', 'FAIL', 'IGNORE', 'REPLACE'];

export interface RandomTable {
  readonly sql: string;
  readonly name: string;
  readonly columns: readonly string[];
}

class TableWriter {
  readonly random: Random;
  readonly columns: readonly string[];
  readonly strict: boolean;
  readonly commented: boolean;
  hasKey = false;

  constructor(random: Random) {
    this.random = random;
    this.columns = distinct(Array.from({ length: random.between(1, 7) }, () => random.pick(NAMES)));
    this.strict = random.chance(0.2);
    this.commented = random.chance(0.6);
  }

  maybe(probability: number, write: () => string): string {
    return this.random.chance(probability) ? write() : '';
  }

  /** White space, and at times a comment in it. */
  blank(): string {
    const space = this.random.pick([' ', ' ', ' ', '\n  ', '\t', ' \n']);
    return this.commented && this.random.chance(0.12) ? space + this.random.pick(COMMENTS) + space : space;
  }

  join(...parts: readonly string[]): string {
    return parts
      .filter((part) => part !== '')
      .reduce((text, part) => (text === '' ? part : text + this.blank() + part), '');
  }

  list(parts: readonly string[]): string {
    const comma = (): string => `${this.maybe(0.1, () => this.blank())},${this.maybe(0.8, () => this.blank())}`;
    return parts.reduce((text, part) => text + (text === '' ? '' : comma()) + part, '');
  }

  name(name: string): string {
    const { random } = this;
    const styles = [writeName(name), `"${name.replaceAll('"', '""')}"`, `\`${name.replaceAll('`', '``')}\``];
    if (!name.includes(']')) styles.push(`[${name}]`);
    return random.chance(0.6) ? styles[0]! : random.pick(styles);
  }

  expression(): string {
    const { random } = this;
    const column = (): string => this.name(random.pick(this.columns));
    switch (random.between(0, 6)) {
      case 0:
        return this.join(column(), '>', String(random.between(0, 9)));
      case 1:
        return this.join('length(', column(), ')', '<', '10', 'OR', column(), 'IS', 'NULL');
      case 2:
        return this.join(column(), 'IN', '(1,', "'),('", ')');
      case 3:
        return this.join('CASE WHEN', column(), 'THEN', '1', 'ELSE', `CAST(${column()} AS TEXT)`, 'END');
      case 4:
        return this.join(column(), 'NOT LIKE', "'a''%'", 'ESCAPE', "'x'");
      case 5:
        return this.join('(', column(), '||', column(), ')', 'COLLATE', 'NOCASE', '=', "'--'");
      default:
        return this.join('coalesce(', column(), ',', column(), ')', 'BETWEEN', '-1', 'AND', '+2.5e1');
    }
  }

  constraintName(): string {
    return this.maybe(0.15, () => this.join('CONSTRAINT', this.name(this.random.pick(NAMES))));
  }

  conflict(): string {
    return this.maybe(0.15, () => this.join('ON', 'CONFLICT', this.random.pick(CONFLICTS)));
  }

  references(count: number): string {
    const { random } = this;
    const columns = Array.from({ length: count }, () => this.name(random.pick(NAMES)));
    return this.join(
      'REFERENCES',
      this.name(random.pick(NAMES)),
      random.chance(0.8) || count > 1 ? `(${this.list(columns)})` : '',
      this.maybe(0.4, () => this.join('ON DELETE', random.pick(ACTIONS))),
      this.maybe(0.3, () => this.join('ON', 'UPDATE', random.pick(ACTIONS))),
      this.maybe(0.1, () => 'MATCH FULL'),
      this.maybe(0.3, () =>
        random.pick([
          'DEFERRABLE INITIALLY DEFERRED',
          'NOT DEFERRABLE',
          'DEFERRABLE',
          'DEFERRABLE INITIALLY IMMEDIATE',
        ]),
      ),
    );
  }

  default(): string {
    const { random } = this;
    const value = random.pick([
      '0',
      '-1',
      '+ 2',
      "'a,''b'",
      'NULL',
      'CURRENT_TIMESTAMP',
      "x'00'",
      '(1 + (2))',
      "('(')",
      '1.5e3',
      'true',
      '1_000',
    ]);
    return this.join('DEFAULT', value);
  }

  column(name: string, isFirst: boolean): string {
    const { random } = this;
    if (!isFirst && random.chance(0.15)) {
      const type = this.strict ? random.pick(STRICT_TYPES) : this.maybe(0.6, () => random.pick(TYPES));
      const generated = this.join(
        this.maybe(0.5, () => 'GENERATED ALWAYS'),
        'AS',
        `(${this.name(this.columns[0]!)} || 'x')`,
      );
      return this.join(
        this.name(name),
        type,
        generated,
        this.maybe(0.6, () => random.pick(['STORED', 'VIRTUAL'])),
        this.maybe(0.2, () => 'NOT NULL'),
      );
    }
    let type = this.strict ? random.pick(STRICT_TYPES) : this.maybe(0.8, () => random.pick(TYPES));
    let key = '';
    if (!this.hasKey && random.chance(0.3)) {
      this.hasKey = true;
      const autoincrement = random.chance(0.3);
      if (autoincrement) type = 'INTEGER';
      key = this.join(
        this.constraintName(),
        'PRIMARY KEY',
        autoincrement ? '' : this.maybe(0.3, () => random.pick(['ASC', 'DESC'])),
        this.conflict(),
        autoincrement ? 'AUTOINCREMENT' : '',
      );
    }
    const rest = [
      key,
      this.maybe(0.4, () => this.join(this.constraintName(), 'NOT NULL', this.conflict())),
      this.maybe(0.1, () => 'NULL'),
      this.maybe(0.2, () => this.join(this.constraintName(), 'UNIQUE', this.conflict())),
      this.maybe(0.4, () => this.default()),
      this.maybe(0.2, () => this.join('COLLATE', random.pick(['NOCASE', 'rtrim', '"BINARY"']))),
      this.maybe(0.3, () => this.join(this.constraintName(), `CHECK (${this.expression()})`)),
      this.maybe(0.2, () => this.references(1)),
    ];
    const at = random.between(0, rest.length);
    return this.join(this.name(name), type, ...rest.slice(at), ...rest.slice(0, at));
  }

  keyColumns(): string {
    const { random } = this;
    const columns = distinct(Array.from({ length: random.between(1, 3) }, () => random.pick(this.columns)));
    return this.list(
      columns.map((name) =>
        this.join(
          this.name(name),
          this.maybe(0.2, () => 'COLLATE NOCASE'),
          this.maybe(0.2, () => random.pick(['ASC', 'DESC'])),
        ),
      ),
    );
  }

  constraint(): string {
    const { random } = this;
    const kind = random.between(this.hasKey ? 1 : 0, 3);
    if (kind === 0) this.hasKey = true;
    if (kind === 0) return this.join(this.constraintName(), 'PRIMARY KEY', `(${this.keyColumns()})`, this.conflict());
    if (kind === 1) return this.join(this.constraintName(), 'UNIQUE', `(${this.keyColumns()})`, this.conflict());
    if (kind === 2) return this.join(this.constraintName(), `CHECK (${this.expression()})`);
    const columns = distinct(Array.from({ length: random.between(1, 2) }, () => random.pick(this.columns)));
    return this.join(
      this.constraintName(),
      'FOREIGN KEY',
      `(${this.list(columns.map((name) => this.name(name)))})`,
      this.references(columns.length),
    );
  }
}

/** Most of them SQLite accepts; what it refuses (a key over a generated column, say) a test passes over. */
export function randomTable(random: Random): RandomTable {
  const writer = new TableWriter(random);
  const name = random.pick(NAMES.filter((one) => !one.startsWith('sqlite')));
  const columns = writer.columns.map((column, index) => writer.column(column, index === 0));
  const constraints = Array.from({ length: random.chance(0.5) ? random.between(1, 3) : 0 }, () => writer.constraint());
  const options = [writer.strict ? 'STRICT' : '', writer.hasKey ? writer.maybe(0.3, () => 'WITHOUT ROWID') : ''];
  const body = writer.list([...columns, ...constraints]);
  const inside = random.chance(0.4) ? `\n  ${body}\n` : body;
  const tail = writer.maybe(0.2, () => writer.blank());
  const sql = `CREATE TABLE ${writer.name(name)}${writer.blank()}(${inside}${tail})${writer.list(options.filter(Boolean).map((word) => ` ${word}`))}`;
  return { sql, name, columns: writer.columns };
}

function distinct(names: readonly string[]): string[] {
  const seen = new Map(names.map((name) => [name.toLowerCase(), name]));
  return [...seen.values()];
}
