// Collations and tokenizers that every SQLite has. Sidelite adds none, because other programs could not read what depends on them.
import { foldName } from '#shared/ddl/names.ts';

/** `PRAGMA collation_list` also lists collations that the schema only mentions. */
const COLLATIONS = new Set(['binary', 'nocase', 'rtrim']);
/** Tokenizers of FTS3, FTS4, and FTS5 (sqlite.org/fts3.html#tokenizer, sqlite.org/fts5.html#tokenizers). */
const TOKENIZERS = new Set(['simple', 'porter', 'unicode61', 'ascii', 'trigram']);

export const isKnownCollation = (name: string): boolean => COLLATIONS.has(foldName(name));
export const isKnownTokenizer = (name: string): boolean => TOKENIZERS.has(foldName(name));
