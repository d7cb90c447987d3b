// The extensions that the user has chosen for databases, and the files that the user has approved: in a JSON file of the profile, which only
// main writes. No list from elsewhere gets into it.
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { CHANGED_SINCE_APPROVED } from '#shared/extensions.ts';
import type { ExtensionsReply, ExtensionToLoad, ListedExtension } from '#shared/extensions.ts';
import * as v from 'valibot';
import { eachEntry } from '#shared/stored.ts';
import { locationIdFor } from '../files/file-locations.ts';
import { forPeople } from '../files/source-file.ts';
import { readJson, writeJson } from '../json-file.ts';

const STORED = v.object({
  /** SHA-256 of the file that was approved, by its path. */
  approved: eachEntry(v.string()),
  /** Paths, by the location of the database. */
  lists: eachEntry(v.array(v.string())),
});
/** The list of a database is opened with it. */
const MOST_EXTENSIONS = 20;

/** A file to approve. */
export interface Approval {
  readonly path: string;
  readonly sha256: string;
  /** It was approved, and has changed. */
  readonly hasChanged: boolean;
}
/** Asks the user. */
type Ask = (approval: Approval) => Promise<boolean>;

export class Extensions {
  readonly #storePath: string;
  readonly #approved: Map<string, string>;
  readonly #lists: Map<string, readonly string[]>;

  constructor(storePath: string) {
    this.#storePath = storePath;
    const stored = v.safeParse(STORED, readJson(storePath));
    this.#approved = new Map(stored.success ? Object.entries(stored.output.approved) : []);
    this.#lists = new Map(stored.success ? Object.entries(stored.output.lists) : []);
  }

  /** The list of a database, with the reason for each one that is not to be loaded. */
  async of(locationId: string): Promise<readonly ExtensionToLoad[]> {
    return Promise.all((this.#lists.get(locationId) ?? []).map((path) => this.#look(path)));
  }

  /** Adds a file that the user has chosen, once it is approved. */
  async add(locationId: string, path: string, ask: Ask): Promise<ExtensionsReply> {
    const list = this.#lists.get(locationId) ?? [];
    if (!list.includes(path) && list.length >= MOST_EXTENSIONS)
      return { why: `At most ${MOST_EXTENSIONS} extensions can be loaded into a database. Remove one of them first.` };
    const approved = await this.#approve(path, ask);
    if (approved !== true) return approved === false ? { changed: false } : approved;
    if (!list.includes(path)) this.#lists.set(locationId, [...list, path]);
    this.#write();
    return { changed: true };
  }

  /** Asks about a file of the list that has changed. */
  async approve(locationId: string, id: string, ask: Ask): Promise<ExtensionsReply> {
    const path = this.#pathOf(locationId, id);
    if (path === null) return { changed: false };
    const approved = await this.#approve(path, ask);
    return typeof approved === 'boolean' ? { changed: approved } : approved;
  }

  /** What was approved stays approved, for other databases. */
  remove(locationId: string, id: string): ExtensionsReply {
    const path = this.#pathOf(locationId, id);
    if (path === null) return { changed: false };
    const others = this.#lists.get(locationId)!.filter((other) => other !== path);
    if (others.length === 0) this.#lists.delete(locationId);
    else this.#lists.set(locationId, others);
    this.#write();
    return { changed: true };
  }

  async #approve(path: string, ask: Ask): Promise<boolean | { readonly why: string }> {
    const sha256 = await hashOf(path);
    if (typeof sha256 !== 'string') return sha256;
    const before = this.#approved.get(path);
    if (before !== sha256 && !(await ask({ path, sha256, hasChanged: before !== undefined }))) return false;
    this.#approved.set(path, sha256);
    this.#write();
    return true;
  }

  async #look(path: string): Promise<ExtensionToLoad> {
    const found = await hashOf(path);
    const listed: ListedExtension = {
      id: locationIdFor(path),
      fileName: basename(path),
      displayPath: forPeople(path),
      why: typeof found === 'string' ? null : found.why,
    };
    const sha256 = this.#approved.get(path) ?? '';
    if (typeof found !== 'string' || found === sha256) return { ...listed, path, sha256 };
    return { ...listed, path, sha256, why: CHANGED_SINCE_APPROVED, awaitsApproval: true };
  }

  #pathOf(locationId: string, id: string): string | null {
    return this.#lists.get(locationId)?.find((path) => locationIdFor(path) === id) ?? null;
  }

  #write(): void {
    writeJson(this.#storePath, {
      approved: Object.fromEntries(this.#approved),
      lists: Object.fromEntries(this.#lists),
    });
  }
}

/** SHA-256 of the file in hexadecimal. */
async function hashOf(path: string): Promise<string | { readonly why: string }> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return { why: `There is no file at ${forPeople(path)}.` };
  if (!stats.isFile()) return { why: `${forPeople(path)} is not an ordinary file.` };
  try {
    const hash = createHash('sha256');
    for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
    return hash.digest('hex');
  } catch (thrown) {
    return { why: `${forPeople(path)} could not be read. ${(thrown as Error).message}` };
  }
}
