// Detects from the beginning of a file whether it is SQL, and of which database.
import type { SqlDialect } from '#shared/protocol/transfer.ts';

export interface DetectedDialect {
  readonly dialect: SqlDialect;
  readonly reason: string;
}

const SIGNS: readonly (readonly [SqlDialect, RegExp, string])[] = [
  ['postgresql', /^-- PostgreSQL database (?:cluster )?dump/m, 'A comment says that PostgreSQL wrote it.'],
  ['mysql', /^-- (?:MySQL dump|MariaDB dump|phpMyAdmin SQL Dump)/m, 'A comment says that MySQL or MariaDB wrote it.'],
  ['mysql', /^\/\*M?!\d{5,6} /m, 'It has comments that only MySQL reads (/*!…*/).'],
  ['postgresql', /^COPY\s[^;]+\sFROM\s+stdin;/im, 'It has rows after COPY … FROM stdin, as PostgreSQL writes them.'],
  [
    'mysql',
    /\)\s*(?:ENGINE|AUTO_INCREMENT)\s*=/i,
    'It has ENGINE or AUTO_INCREMENT after a table, as MySQL writes them.',
  ],
  ['postgresql', /^SELECT pg_catalog\.|^SET (?:statement_timeout|search_path)\b/m, 'It has settings of PostgreSQL.'],
];

export function detectDialect(beginning: string): DetectedDialect {
  const found = SIGNS.find(([, sign]) => sign.test(beginning));
  return found
    ? { dialect: found[0], reason: found[2] }
    : { dialect: 'sqlite', reason: 'The beginning has no sign of another program.' };
}

const BLANK = '(?:\\s|--[^\\n]*(?:\\n|$)|#[^\\n]*(?:\\n|$)|/\\*[^]*?\\*/)*';
const STATEMENT =
  '(?:PRAGMA\\s+\\w|BEGIN(?:\\s+TRANSACTION)?\\s*;|START\\s+TRANSACTION|CREATE\\s+(?:TEMP\\w*\\s+|UNIQUE\\s+|VIRTUAL\\s+|OR\\s+REPLACE\\s+)*(?:TABLE|INDEX|VIEW|TRIGGER|DATABASE|SCHEMA|EXTENSION|SEQUENCE)\\s|INSERT\\s+(?:OR\\s+\\w+\\s+)?INTO\\s|REPLACE\\s+INTO\\s|DROP\\s+(?:TABLE|VIEW|INDEX)\\s|SET\\s+[\\w@]+|DELETE\\s+FROM\\s|UPDATE\\s+\\S+\\s+SET\\s|ALTER\\s+TABLE\\s|\\\\restrict\\s|LOCK\\s+TABLES)';
const BEGINS = new RegExp(`^\\ufeff?${BLANK}${STATEMENT}`, 'i');
const MARKED = /^(?:\s*--[^\n]*\n)*\s*-- (?:MySQL dump|MariaDB dump|phpMyAdmin SQL Dump|PostgreSQL database)/;

/** Checks whether a text begins as SQL does. */
export const isSql = (beginning: string): boolean => MARKED.test(beginning) || BEGINS.test(beginning);
