// The extensions that the user has chosen for databases, and the files that the user has approved: in a JSON file of the profile, which only
// main writes. No list from elsewhere gets into it.
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { CHANGED_SINCE_APPROVED, MOST_EXTENSION_BYTES } from '#shared/extensions.ts';
import type { ExtensionsReply, ExtensionToLoad } from '#shared/extensions.ts';
import * as v from 'valibot';
import { each, eachEntry } from '#shared/stored.ts';
import { locationIdFor } from '../files/file-locations.ts';
import { forPeople } from '../files/source-file.ts';
import { readJson, writeJson } from '../json-file.ts';

const STORED = v.object({
  /** SHA-256 of the file that was approved, by its path. */
  approved: eachEntry(v.string()),
  /** Paths, by the location of the database. */
  lists: eachEntry(v.array(v.string())),
  /** Locations of databases whose extensions are not loaded again before the user asks for that. */
  givenUp: v.optional(eachEntry(v.picklist(['crashed', 'stopped'])), {}),
  /** Locations of databases whose views, triggers, and indexes may use all functions of their extensions. */
  trusted: v.optional(each(v.string()), []),
});

export type WhyGivenUp = 'crashed' | 'stopped';

const WHY_GIVEN_UP: Readonly<Record<WhyGivenUp, string>> = {
  crashed:
    'The process that opens the database ended unexpectedly twice, which its extensions may have caused, so they are not loaded again by themselves.',
  stopped:
    'The process was stopped before the database was open, which its extensions may have held up, so they are not loaded again by themselves.',
};

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
  readonly #givenUp: Map<string, WhyGivenUp>;
  readonly #trusted: Set<string>;

  constructor(storePath: string) {
    this.#storePath = storePath;
    const stored = v.safeParse(STORED, readJson(storePath));
    this.#approved = new Map(stored.success ? Object.entries(stored.output.approved) : []);
    this.#lists = new Map(stored.success ? Object.entries(stored.output.lists) : []);
    this.#givenUp = new Map(stored.success ? Object.entries(stored.output.givenUp) : []);
    this.#trusted = new Set(stored.success ? stored.output.trusted : []);
  }

  /** The list of a database, with the reason for each one that is not to be loaded. */
  of(locationId: string): readonly ExtensionToLoad[] {
    const why = this.whyGivenUp(locationId);
    return (this.#lists.get(locationId) ?? []).map((path) => this.#asListed(path, why));
  }

  /** Why the extensions of a database are not loaded; null: they are. */
  whyGivenUp(locationId: string): string | null {
    const givenUp = this.#givenUp.get(locationId);
    return givenUp === undefined ? null : WHY_GIVEN_UP[givenUp];
  }

  /** Whether views, triggers, and indexes of a database may use all functions of its extensions. */
  trustsSchema(locationId: string): boolean {
    return this.#trusted.has(locationId);
  }

  /** They are not loaded into this database again before {@link retry}, or a change of its list. */
  giveUp(locationId: string, cause: WhyGivenUp): void {
    if (!this.#lists.has(locationId) || this.#givenUp.get(locationId) === cause) return;
    this.#givenUp.set(locationId, cause);
    this.#write();
  }

  retry(locationId: string): ExtensionsReply {
    if (this.#givenUp.delete(locationId)) this.#write();
    return { changed: true };
  }

  /** @param ask is called only before the schema is trusted */
  async trustSchema(locationId: string, trusts: boolean, ask: () => Promise<boolean>): Promise<ExtensionsReply> {
    if (trusts === this.#trusted.has(locationId) || !this.#lists.has(locationId)) return { changed: false };
    if (trusts && !(await ask())) return { changed: false };
    if (trusts) this.#trusted.add(locationId);
    else this.#trusted.delete(locationId);
    this.#write();
    return { changed: true };
  }

  /** Adds a file that the user has chosen, once it is approved. */
  async add(locationId: string, path: string, ask: Ask): Promise<ExtensionsReply> {
    const list = this.#lists.get(locationId) ?? [];
    if (!list.includes(path) && list.length >= MOST_EXTENSIONS)
      return { why: `At most ${MOST_EXTENSIONS} extensions can be loaded into a database. Remove one of them first.` };
    const approved = await this.#approve(path, ask);
    if (approved !== true) return approved === false ? { changed: false } : approved;
    if (!list.includes(path)) this.#lists.set(locationId, [...list, path]);
    return this.#changed(locationId);
  }

  /** Asks about a file of the list that has changed. */
  async approve(locationId: string, id: string, ask: Ask): Promise<ExtensionsReply> {
    const path = this.#pathOf(locationId, id);
    if (path === null) return { changed: false };
    const approved = await this.#approve(path, ask);
    if (approved !== true) return approved === false ? { changed: false } : approved;
    return this.#changed(locationId);
  }

  /** What was approved stays approved, for other databases. */
  remove(locationId: string, id: string): ExtensionsReply {
    const path = this.#pathOf(locationId, id);
    if (path === null) return { changed: false };
    const others = this.#lists.get(locationId)!.filter((other) => other !== path);
    if (others.length === 0) {
      this.#lists.delete(locationId);
      this.#trusted.delete(locationId);
    } else this.#lists.set(locationId, others);
    return this.#changed(locationId);
  }

  /** With another list, or another file, each is tried again. */
  #changed(locationId: string): ExtensionsReply {
    this.#givenUp.delete(locationId);
    this.#write();
    return { changed: true };
  }

  async #approve(path: string, ask: Ask): Promise<boolean | { readonly why: string }> {
    const sha256 = await hashOf(path);
    if (typeof sha256 !== 'string') return sha256;
    const before = this.#approved.get(path);
    if (before !== sha256 && !(await ask({ path, sha256, hasChanged: before !== undefined }))) return false;
    this.#approved.set(path, sha256);
    return true;
  }

  /** What the file is now is only known where it is read to be loaded. */
  #asListed(path: string, why: string | null): ExtensionToLoad {
    const sha256 = this.#approved.get(path) ?? '';
    const listed = { id: locationIdFor(path), fileName: basename(path), displayPath: forPeople(path), path, sha256 };
    return sha256 === '' ? { ...listed, why: CHANGED_SINCE_APPROVED, awaitsApproval: true } : { ...listed, why };
  }

  #pathOf(locationId: string, id: string): string | null {
    return this.#lists.get(locationId)?.find((path) => locationIdFor(path) === id) ?? null;
  }

  #write(): void {
    writeJson(this.#storePath, {
      approved: Object.fromEntries(this.#approved),
      lists: Object.fromEntries(this.#lists),
      givenUp: Object.fromEntries(this.#givenUp),
      trusted: [...this.#trusted],
    });
  }
}

/** SHA-256 of the file in hexadecimal. */
async function hashOf(path: string): Promise<string | { readonly why: string }> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return { why: `There is no file at ${forPeople(path)}.` };
  if (!stats.isFile()) return { why: `${forPeople(path)} is not an ordinary file.` };
  if (stats.size > MOST_EXTENSION_BYTES) return { why: `${forPeople(path)} is larger than 1 GB, and no extension is.` };
  try {
    const hash = createHash('sha256');
    for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
    return hash.digest('hex');
  } catch (thrown) {
    return { why: `${forPeople(path)} could not be read. ${(thrown as Error).message}` };
  }
}
