// Files in place as main sees them: which window may open which file, and which process opens it: that of the native engine, or one of its
// own for an encrypted file, or one with extensions.
import { realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { toAppError } from '#shared/protocol/errors.ts';
import { encryptedId, inPlaceId, isEncryptedFile } from '#shared/protocol/in-place.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { ChangedKey, NativeFile } from '#shared/native-link.ts';
import { NATIVE_PORTS_TAG } from '#shared/shell-api.ts';
import type { InPlaceReply } from '#shared/shell-api.ts';
import type { FileTokens } from '../files/file-tokens.ts';
import { forPeople } from '../files/source-file.ts';
import type { FilesInPlace } from '../files/files-in-place.ts';
import { locationIdFor } from '../files/file-locations.ts';
import type { AppWindow } from '../windows/registry.ts';
import { mayBeEncrypted, opensForChanges } from './encrypted-files.ts';
import type { EncryptedFiles } from './encrypted-files.ts';
import type { ExtendedFiles } from './extended-files.ts';
import type { Extensions } from './extensions.ts';
import { FileProcess } from './file-process.ts';
import type { FileProcessContext } from './file-process.ts';
import type { GivenKey } from './typed-key.ts';

const WITHOUT = 'Databases of the library work without it.';

const GAVE_UP =
  'The native engine stopped four times within a minute, so it is not restarted automatically. Files opened in place cannot be read until it is.';

const beingChanged = (fileName: string): string =>
  `The password of “${fileName}” is being changed. Open the file when that is done.`;

/** A comparison copy, or a database restored from a replica or unpacked from an archive. */
interface TemporaryFile {
  /** Used in place of a location id. */
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly displayPath: string;
  /** Reason why nothing can write to the file. */
  readonly whyReadOnly?: string;
  /** The user is asked before the first write, which goes elsewhere. */
  readonly asksBeforeWriting?: true;
}

interface OwnProcesses {
  readonly encrypted: EncryptedFiles;
  readonly extended: ExtendedFiles;
}

/** The process of the native engine opens it, and not one of its own. */
const isOfNative = ({ database, extensions }: NativeFile): boolean =>
  !isEncryptedFile(database) && extensions === undefined;

export class NativeEngine {
  readonly #files: FileTokens;
  readonly #inPlace: FilesInPlace;
  readonly #plain: FileProcess;
  readonly #encrypted: EncryptedFiles;
  readonly #extended: ExtendedFiles;
  readonly #extensions: Extensions;
  /** Locations of files whose key is being changed. */
  readonly #changing = new Set<string>();

  constructor(context: FileProcessContext, { encrypted, extended }: OwnProcesses) {
    this.#files = context.files;
    this.#inPlace = context.inPlace;
    this.#encrypted = encrypted;
    this.#extended = extended;
    this.#extensions = context.extensions;
    this.#plain = new FileProcess({
      ...context,
      name: 'native engine',
      opens: isOfNative,
      gaveUp: GAVE_UP,
      portsMessage: (generation) => ({ tag: NATIVE_PORTS_TAG, generation }),
    });
  }

  get pid(): number | undefined {
    return this.#plain.pid;
  }

  async open(
    window: AppWindow,
    {
      token,
      locationId,
      readOnly,
      key,
    }: {
      readonly token: string;
      readonly locationId: string;
      readonly readOnly: boolean;
      /** As it was typed into the window; null: none was. */
      readonly key: GivenKey | null;
    },
  ): Promise<InPlaceReply> {
    const { windowId } = window;
    const chosen = token === '' ? this.#inPlace.pathOf(windowId, locationId) : this.#files.sourcePath(windowId, token);
    if (chosen === null) return { why: 'This file is no longer open. Choose it again.', missing: true };
    const stats = statSync(chosen, { throwIfNoEntry: false });
    if (!stats) return { why: `The file is no longer at ${forPeople(chosen)}.`, missing: true };
    // Resolved, because a file chosen through any link is the same file with the same history.
    const path = realpathSync(chosen);
    const id = locationIdFor(path);
    const isLocked = mayBeEncrypted(path);
    const loaded = this.#loadedInto(id);
    if (this.#changing.has(id)) return { why: beingChanged(basename(path)), missing: false };
    const before = this.#inPlace.accessTo(id);
    // A window that opens it again, such as a reloaded page, gets the same access as the others.
    const access = readOnly || before === 'read' ? { readOnly: true as const } : { asksBeforeWriting: true as const };
    const named = { fileName: basename(path), displayPath: forPeople(path), locationId: id };
    const database = isLocked ? encryptedId(id) : inPlaceId(id);
    const file: NativeFile = { database, ...named, path, ...access, ...loaded };
    const opened = isLocked ? await this.#encrypted.open(window, file, key) : await this.#openPlain(window, file);
    if (opened !== null && !('isNotRemembered' in opened)) return opened;
    // Released only now: a file that cannot be opened in place may be copied.
    if (token !== '') this.#files.takeSourcePath(windowId, token);
    const own = !isLocked && loaded.extensions && { hasOwnProcess: true as const };
    return { file: { database, ...named }, sizeBytes: stats.size, ...opened, ...own };
  }

  /** The user does not wait for the key that is tried in this window. */
  stopTrying(window: AppWindow): void {
    this.#encrypted.stopTrying(window);
  }

  /** Writes an empty database with this key to a file that the user has chosen, and opens it. */
  async createEncrypted(window: AppWindow, sink: string, given: GivenKey): Promise<InPlaceReply> {
    const made = await this.#encrypted.make(given.key);
    if ('why' in made) return { why: made.why, missing: false };
    try {
      const path = await this.#files.writeSink(window.windowId, sink, made.bytes);
      const { token } = this.#files.addSource(window.windowId, path);
      return await this.open(window, { token, locationId: '', readOnly: false, key: given });
    } catch (thrown) {
      return { why: toAppError(thrown).message, missing: false };
    }
  }

  /**
   * Sets, changes, or removes the key of a file that only this window has opened, and that it has closed.
   *
   * @param given null: the file is not to be encrypted. The window opens the file again afterwards, with this key
   */
  async changeKey(window: AppWindow, locationId: string, given: GivenKey | null): Promise<ChangedKey> {
    const { windowId } = window;
    const file = this.#inPlace.openedIn(windowId).find((opened) => opened.locationId === locationId);
    if (!file) return { why: 'This file is not open in this window. Open it again.' };
    const { fileName } = file;
    if (this.#changing.has(locationId)) return { why: beingChanged(fileName) };
    if (file.readOnly) return { why: `“${fileName}” was opened read-only, so its password cannot be changed.` };
    if (this.#inPlace.isOpenedBeside(windowId, locationId))
      return { why: `“${fileName}” is open in another window too. Close it there, and try again.` };
    this.#changing.add(locationId);
    try {
      return await this.#encrypted.changeKey(file, given?.key ?? null);
    } finally {
      this.#changing.delete(locationId);
    }
  }

  /** Starts the engine if necessary, and gives the window its ports. Returns why this installation cannot, or null. */
  serve(window: AppWindow): string | null {
    const why = this.#plain.serve(window);
    return why === null ? null : `${why} ${WITHOUT}`;
  }

  /** Registers a file that main has made for this window with the engine. Returns its database id. */
  async openTemporary(
    window: AppWindow,
    { id, path, name, displayPath, whyReadOnly, asksBeforeWriting }: TemporaryFile,
  ): Promise<DatabaseId> {
    const file = { database: inPlaceId(id), fileName: name, displayPath, locationId: id };
    await this.#plain.tellOf(window, {
      ...file,
      path,
      ...(whyReadOnly !== undefined && { readOnly: true, whyReadOnly }),
      ...(asksBeforeWriting && { asksBeforeWriting }),
    });
    return file.database;
  }

  /** Lets a window open the files that were opened in `owner`, and gives it its ports. */
  async share(owner: AppWindow, window: AppWindow): Promise<void> {
    if (this.serve(window) !== null) return;
    const files = this.#inPlace.openedIn(owner.windowId).filter(isOfNative);
    await Promise.all(files.map((file) => this.#plain.tellOf(window, file)));
  }

  forgetTemporary({ windowId }: AppWindow, id: string): void {
    this.#inPlace.forget(windowId, id);
  }

  /** The user has closed the file in this window. */
  close({ windowId }: AppWindow, locationId: string): void {
    this.#inPlace.forget(windowId, locationId);
    this.#endUnused();
  }

  get canRememberKeys(): boolean {
    return this.#encrypted.remembered.isAvailable;
  }

  /** Forgets the key that was to be remembered. Returns false if there was none. */
  forgetKey(locationId: string): boolean {
    return this.#encrypted.remembered.forget(locationId);
  }

  /** All files of this window are closed. */
  closeAll({ windowId }: AppWindow): void {
    this.#inPlace.forgetWindow(windowId);
    this.#endUnused();
  }

  /** Null if the file was not opened in place in this window. */
  pathOf({ windowId }: AppWindow, locationId: string): string | null {
    return this.#inPlace.pathOfOpened(windowId, locationId);
  }

  /** The window's page is being reloaded: its ports are gone. */
  forget(window: AppWindow): void {
    this.#plain.forget(window);
    this.#encrypted.forget(window);
    this.#extended.forget(window);
  }

  /** Resolves when all files are closed, or the processes are gone. */
  async settle(): Promise<void> {
    await Promise.all([this.#plain, this.#encrypted, this.#extended].map((each) => each.settle()));
  }

  destroy(): void {
    for (const each of [this.#plain, this.#encrypted, this.#extended]) each.destroy();
  }

  #endUnused(): void {
    this.#encrypted.endUnused();
    this.#extended.endUnused();
  }

  /** While any window has the file open, it stays in the process that it is in, and as it is there. */
  #loadedInto(locationId: string): Pick<NativeFile, 'extensions' | 'trustsSchema'> {
    const open = this.#inPlace.find(locationId);
    const extensions = open ? open.extensions : this.#extensions.of(locationId);
    if (extensions === undefined || extensions.length === 0) return {};
    const trusts = open ? open.trustsSchema === true : this.#extensions.trustsSchema(locationId);
    return { extensions, ...(trusts && { trustsSchema: true }) };
  }

  async #openPlain(window: AppWindow, file: NativeFile): Promise<InPlaceReply | null> {
    if (file.extensions) return this.#extended.open(window, file);
    const why = this.serve(window);
    if (why !== null) return { why: `“${file.fileName}” cannot be opened in place. ${why}`, missing: false };
    if (await this.#plain.tellOf(window, file)) return null;
    return { why: opensForChanges(file.fileName), missing: false };
  }
}
