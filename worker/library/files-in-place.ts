// The list of files that were opened in place. The library touches neither the files nor their content.
import { fail } from '#shared/protocol/errors.ts';
import type { InPlaceFile } from '#shared/protocol/in-place.ts';
import type { Durability, Editing, LibraryEntry } from '#shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';

const COLUMNS = 'id, file_name, display_path, source_id, size_bytes, first_used_at_ms, last_used_at_ms';

export class FilesInPlace {
  readonly #connection: Connection;

  /** @param connection of the catalogue, which makes the table */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  list(): readonly LibraryEntry[] {
    return this.#connection.all(`SELECT ${COLUMNS}, durability, editing FROM files_in_place`).map(toEntry);
  }

  /** Notes the file, or that it was used again. */
  add({ database, fileName, displayPath, locationId }: InPlaceFile, sizeBytes: number): LibraryEntry {
    const now = Date.now();
    this.#connection.run(
      `INSERT INTO files_in_place (${COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
       ON CONFLICT DO UPDATE SET size_bytes = ?5, last_used_at_ms = max(?6, last_used_at_ms + 1)`,
      [database, fileName, displayPath, locationId, sizeBytes, now],
    );
    return this.#entry(database);
  }

  /** @throws AppError `not-found` */
  setDurability(id: DatabaseId, durability: Durability): LibraryEntry {
    this.#connection.run('UPDATE files_in_place SET durability = ? WHERE id = ?', [durability, id]);
    return this.#entry(id);
  }

  /** @throws AppError `not-found` */
  setEditing(id: DatabaseId, editing: Editing | null): LibraryEntry {
    this.#connection.run('UPDATE files_in_place SET editing = ? WHERE id = ?', [editing, id]);
    return this.#entry(id);
  }

  remove(id: DatabaseId): void {
    this.#connection.run('DELETE FROM files_in_place WHERE id = ?', [id]);
  }

  #entry(id: DatabaseId): LibraryEntry {
    const row = this.#connection.one(`SELECT ${COLUMNS}, durability, editing FROM files_in_place WHERE id = ?`, [id]);
    if (row) return toEntry(row);
    fail('not-found', 'This file is no longer in the list.');
  }
}

function toEntry(row: readonly Value[]): LibraryEntry {
  const [id, fileName, displayPath, locationId, sizeBytes, firstUsedAtMs, lastUsedAtMs, durability, editing] = row;
  return {
    id: String(id),
    name: String(fileName),
    sizeBytes: Number(sizeBytes),
    lastUsedAtMs: Number(lastUsedAtMs),
    durability: durability as Durability,
    ...(editing !== null && { editing: editing as Editing }),
    source: {
      fileName: String(fileName),
      displayPath: String(displayPath),
      locationId: String(locationId),
      importedAtMs: Number(firstUsedAtMs),
    },
  };
}
