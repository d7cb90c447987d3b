// Keeps queries and snippets that users have named, in the catalogue.
import * as v from 'valibot';
import { fail } from '#shared/protocol/errors.ts';
import { SAVED_QUERY_CHARS } from '#shared/protocol/saved-queries.ts';
import type { SavedQuery } from '#shared/protocol/saved-queries.ts';
import type { Value } from '#shared/protocol/values.ts';
import { each } from '#shared/stored.ts';
import type { Connection } from '../engines/engine.ts';

export class SavedQueries {
  readonly #connection: Connection;

  /** @param connection of the catalogue, which makes the table */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  list(): readonly SavedQuery[] {
    return this.#connection
      .all(
        `SELECT id, name, folder, tags, kind, database, sql, shortcut, saved_at_ms FROM saved_queries
         ORDER BY folder COLLATE NOCASE, name COLLATE NOCASE, rowid`,
      )
      .map(toQuery);
  }

  /** @throws AppError `too-big`, `invalid` */
  put({ id, name, folder, tags, kind, database, sql, shortcut }: Omit<SavedQuery, 'savedAtMs'>): void {
    if (sql.length > SAVED_QUERY_CHARS)
      fail(
        'too-big',
        `“${name}” has more than ${SAVED_QUERY_CHARS.toLocaleString('en-US')} characters, so it was not saved.`,
      );
    if (name.trim() === '') fail('invalid', 'A saved query needs a name.');
    if (shortcut !== null && !(Number.isInteger(shortcut) && shortcut >= 1 && shortcut <= 9))
      fail('invalid', 'The shortcut of a saved query is a digit from 1 to 9.');
    this.#connection.run(
      'UPDATE saved_queries SET shortcut = NULL WHERE shortcut = ?1 AND database IS ?2 AND id <> ?3',
      [shortcut, database, id],
    );
    this.#connection.run(
      `INSERT INTO saved_queries (id, name, folder, tags, kind, database, sql, shortcut, saved_at_ms)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
       ON CONFLICT DO UPDATE
       SET name = ?2, folder = ?3, tags = ?4, kind = ?5, database = ?6, sql = ?7, shortcut = ?8, saved_at_ms = ?9`,
      [id, name.trim(), folder, JSON.stringify(tags), kind, database, sql, shortcut, Date.now()],
    );
  }

  /** @throws AppError `not-found`, `too-big`, `invalid` */
  change(id: string, patch: Partial<Omit<SavedQuery, 'id' | 'savedAtMs'>>): void {
    const query = this.list().find((one) => one.id === id);
    if (!query) fail('not-found', 'This saved query was deleted in the meantime.');
    this.put({ ...query, ...patch, id });
  }

  delete(id: string): void {
    this.#connection.run('DELETE FROM saved_queries WHERE id = ?', [id]);
  }
}

function toQuery([id, name, folder, tags, kind, database, sql, shortcut, savedAtMs]: readonly Value[]): SavedQuery {
  return {
    id: String(id),
    name: String(name),
    folder: String(folder),
    tags: v.parse(each(v.string()), JSON.parse(String(tags))),
    kind: kind === 'snippet' ? 'snippet' : 'query',
    database: database === null ? null : String(database),
    sql: String(sql),
    shortcut: shortcut === null ? null : Number(shortcut),
    savedAtMs: Number(savedAtMs),
  };
}
