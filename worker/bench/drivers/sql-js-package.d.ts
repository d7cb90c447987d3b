// The part of sql.js in use, which has no types of its own.
declare module 'sql.js' {
  interface SqlJs {
    readonly Database: new (data?: Uint8Array) => SqlJsDatabase;
  }
  interface SqlJsDatabase {
    /** Every statement of the text. */
    run(sql: string): unknown;
    prepare(sql: string): SqlJsStatement;
    getRowsModified(): number;
    create_function(name: string, call: (...args: never[]) => unknown): unknown;
    export(): Uint8Array;
    close(): void;
  }
  interface SqlJsStatement {
    bind(params: readonly unknown[]): boolean;
    step(): boolean;
    get(): readonly unknown[];
    run(params: readonly unknown[]): void;
    free(): boolean;
  }
  export default function start(options: { locateFile(file: string): string }): Promise<SqlJs>;
}
