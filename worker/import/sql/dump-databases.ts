// Databases of a dump that may hold several: SQLite has one. A dump is read twice, and which databases have tables is known after the first time.

/** Tables of the first database that has any keep their names; names of tables of others begin with the name of the database. */
export class DumpDatabases {
  readonly #fold: (name: string) => string;
  #current: string | null = null;
  /** '': tables came before any database was named. */
  #first: string | null = null;
  #hasUnnamed = false;
  readonly #others = new Set<string>();
  /** Names of tables by what tells the tables of the dump apart. */
  readonly #made = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #renames: string[] = [];

  /** @param fold makes names of databases equal that the server does not tell apart */
  constructor(fold = (name: string): string => name) {
    this.#fold = fold;
  }

  /** Null before a database was named. */
  get current(): string | null {
    return this.#current;
  }

  /** Whether the tables have the names that they have in the dump. */
  get areKept(): boolean {
    return this.#others.size + this.#renames.length === 0;
  }

  /** Whole sentences about names that tables do not have in the dump. */
  get notes(): readonly string[] {
    const ofOthers = [...this.#others].map(
      (database) => `The file holds several databases: names of tables of “${database}” begin with “${database}_”.`,
    );
    return [...this.#renames, ...ofOthers];
  }

  /** Statements that follow are about tables of this database. */
  use(database: string): void {
    if (this.#first === null && this.#hasUnnamed) this.#first = '';
    this.#current = database;
  }

  /** Begins again with the first statement of the file. */
  restart(): void {
    this.#current = null;
  }

  /** A table of the database is made, filled, or dropped. */
  hasTable(database = this.#current): void {
    if (database === null) this.#hasUnnamed = true;
    else {
      this.#first ??= database;
      if (!this.isFirst(database)) this.#others.add(database);
    }
  }

  isFirst(database: string | null): boolean {
    return this.#first === null
      ? database === null
      : database !== null && this.#fold(database) === this.#fold(this.#first);
  }

  hasDatabase(name: string): boolean {
    return name === this.#first || this.#others.has(name);
  }

  /** @param table its name in the database */
  protected prefixed(database: string | null, table: string): string {
    const isOther = database !== null && this.#first !== null && !this.isFirst(database);
    return isOther ? `${database}_${table}` : table;
  }

  /** The name that {@link make} gave. */
  protected made(key: string): string | undefined {
    return this.#made.get(key);
  }

  /** Gives a table a name that no other has, as SQLite tells names apart. @param key tells the tables of the dump apart */
  protected name(key: string, plain: string): string {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    let free = plain;
    for (let number = 2; this.#taken.has(free.toLowerCase()); number++) free = `${plain}_${number}`;
    if (free !== plain)
      this.#renames.push(`The table “${plain}” is named “${free}”: another one has its name, maybe in another case.`);
    this.#taken.add(free.toLowerCase());
    this.#made.set(key, free);
    return free;
  }
}
