// The dialects of SQL that are read.
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import { sqliteTranslator } from './sqlite-dialect.ts';
import type { SqlTranslator } from './translator.ts';

const TRANSLATORS: Readonly<Record<SqlDialect, () => SqlTranslator>> = {
  sqlite: sqliteTranslator,
  mysql: sqliteTranslator,
  postgresql: sqliteTranslator,
};

export const translatorOf = (dialect: SqlDialect): SqlTranslator => TRANSLATORS[dialect]();
