// The dialects of SQL that are read.
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import { mysqlTranslator } from './mysql-dialect.ts';
import { postgresTranslator } from './postgres-dialect.ts';
import { sqliteTranslator } from './sqlite-dialect.ts';
import type { SqlTranslator } from './translator.ts';

const TRANSLATORS: Readonly<Record<SqlDialect, (beginning: string) => SqlTranslator>> = {
  sqlite: sqliteTranslator,
  mysql: mysqlTranslator,
  postgresql: postgresTranslator,
};

/** @param beginning of the file */
export const translatorOf = (dialect: SqlDialect, beginning: string): SqlTranslator => TRANSLATORS[dialect](beginning);
