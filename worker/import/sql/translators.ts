// The dialects of SQL that are read.
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import { mysqlTranslator } from './mysql-dialect.ts';
import { postgresTranslator } from './postgres-dialect.ts';
import { sqliteTranslator } from './sqlite-dialect.ts';
import { tsqlTranslator } from './tsql-dialect.ts';
import type { DumpText, SqlTranslator } from './translator.ts';

const TRANSLATORS: Readonly<Record<SqlDialect, (text: DumpText) => SqlTranslator>> = {
  sqlite: sqliteTranslator,
  mysql: mysqlTranslator,
  postgresql: postgresTranslator,
  tsql: tsqlTranslator,
};

export const translatorOf = (dialect: SqlDialect, text: DumpText): SqlTranslator => TRANSLATORS[dialect](text);
