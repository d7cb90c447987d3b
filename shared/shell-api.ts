// API that the preload script gives a window, as `window.sidelite`. In a plain browser it is missing: see
// renderer/connection/browser-shell.ts.
import type { FileContent, UnpackedShell } from './archives.ts';
import type { AssistantShell } from './assistants.ts';
import type { BenchShell } from './bench/shell.ts';
import type { TypedKey } from './cipher-key.ts';
import type { ExtensionShell } from './extensions.ts';
import type { GitShell } from './git.ts';
import type { ChangedKey } from './native-link.ts';
import type { ShownDocument } from './documents.ts';
import type { SystemMenu } from './menu.ts';
import type { PrintedPages, PrintedPdf } from './printing.ts';
import type { FileToken } from './protocol/files.ts';
import type { InPlaceFile } from './protocol/in-place.ts';
import type { DatabaseId } from './protocol/database-id.ts';
import type { RemoteDraft, RemoteList, RemoteSaved, RemoteTest } from './protocol/remote.ts';
import type { ReplicaShell } from './replicas.ts';
import type { ChosenSettings, SettingsState } from './settings/read-settings.ts';
import type { TextFileReply, TextFileSaved } from './text-files.ts';

export interface OpenedFile {
  readonly token: FileToken;
  readonly fileName: string;
  /** Set for files to read in the desktop app: identifies a copy in the library. */
  readonly locationId?: string;
  /** How the command line asked for it to be shown: in place. */
  readonly view?: OpenView;
}

export interface OpenView {
  /** A table or view to open; null: whichever says most. */
  readonly table: string | null;
  /** Raw condition for its rows; empty for none. */
  readonly where: string;
  /** Nothing can write to the file from this window on. */
  readonly readOnly: boolean;
}

export interface DroppedFile {
  readonly name: string;
  /** Null: it is not a file on disk. */
  readonly file: OpenedFile | null;
}

/** Purpose for which a file is chosen: the title of the dialog, and which files it shows first. */
export type FileKind = 'database' | 'json' | 'patch' | 'rows' | 'schema' | 'sql' | 'any';

export type InPlaceReply =
  | {
      readonly file: InPlaceFile;
      readonly sizeBytes: number;
      /** The key was to be remembered, and could not be. */
      readonly isNotRemembered?: true;
      /** It has extensions, so a process of its own serves it. */
      readonly hasOwnProcess?: true;
    }
  /** Why it cannot be opened. `missing`: it is not where it was. */
  | { readonly why: string; readonly missing: boolean }
  /** It may be encrypted. */
  | { readonly locked: LockedFile };

/** A file that needs a key. */
export interface LockedFile {
  readonly fileName: string;
  readonly displayPath: string;
  /** This system has a key store, so a key can be remembered. */
  readonly canRemember: boolean;
  /** Why the key that was sent along, or remembered, does not open it; null: there was none. */
  readonly why: string | null;
}

/** A file to open in place: one that the user has chosen, or one that was opened in place before. */
export type PlacedFile = (
  | { readonly token: FileToken; readonly readOnly?: boolean }
  | { readonly locationId: string }
) & {
  /** Needed where the reply was `locked`. Main keeps it as long as the file is open in any window. */
  readonly key?: TypedKey;
};

/** File for a copy that the native engine is to be compared with, or why there is no native engine. */
export type ComparisonCopyReply =
  | { readonly comparisonCopy: string; readonly sink: FileToken }
  | { readonly why: string };

export interface WindowInfo {
  /** Stable across restarts; the key under which the window's state is kept. */
  readonly windowId: string;
  /** “Window 2”: how other windows name this one. */
  readonly windowTitle: string;
  readonly platform: string;
  readonly appVersion: string;
  readonly electronVersion: string;
  readonly chromiumVersion: string;
  /** How often in a row the page of this window, or the whole app, has crashed just before this start; 0 as a rule. */
  readonly crashes: number;
  /** Why the installed app runs without Chromium's sandbox; null: it has one, or runs from its sources. */
  readonly noSandbox: 'root' | 'app-image' | 'switch' | null;
}

/** The settings now, or why the file was not taken. */
export type ImportedSettings = SettingsState | { readonly why: string };

/** True: they were saved. */
export type ExportedSettings = true | null | { readonly why: string };

/** What the button of the title bar is for: to maximize the window, or to take it back. */
export type WindowSize = 'normal' | 'maximized' | 'full-screen';

type MenuCommandListener = (commandId: string) => void;

/**
 * Ports come by `window.postMessage`: `{tag: 'sidelite:ports', generation}` with two ports, first data (to the worker), then
 * control (to the host page). They are sent again, with a higher generation, after the host was restarted.
 */
export const PORTS_TAG = 'sidelite:ports';
/** The same for the ports of the native process, which come with the first file that is opened in place. */
export const NATIVE_PORTS_TAG = 'sidelite:native-ports';

/** The same for a process of one database, on a server, encrypted, or with extensions, with `database` and the `slot` of its numbers. */
export const PROCESS_PORTS_TAG = 'sidelite:process-ports';

/** The connections to servers, which all windows share. Tokens only go in. */
interface RemoteShell {
  list(): Promise<RemoteList>;
  /** Adds the connection or changes it. One that is open connects again. */
  save(draft: RemoteDraft): Promise<RemoteSaved>;
  /** Forgets the connection and its token. */
  remove(database: DatabaseId): Promise<void>;
  /** Connects with what was entered, and saves nothing. */
  test(draft: RemoteDraft): Promise<RemoteTest>;
  /** Starts the process of the connection and sends this window its ports. Resolves with the reason where that is impossible. */
  open(database: DatabaseId): Promise<string | null>;
  /** Connections were added, changed, or removed, in whichever window. */
  onChanged(listener: (list: RemoteList) => void): void;
}

/** The files of SQL tabs. Failures are replies: an exception in main reaches the page without its message. */
export interface TextFileShell {
  /** Lets the user choose files to open; empty when canceled. */
  choose(): Promise<readonly OpenedFile[]>;
  /** Lets the user choose a file to save to; null when canceled. */
  chooseTarget(suggestedName: string): Promise<OpenedFile | null>;
  /** Reads a file the user chose and keeps it for this window. If it cannot be read, its token stays valid. */
  open(token: FileToken): Promise<TextFileReply>;
  /** @param known the `content` for which no bytes are needed; null: always send them */
  read(token: FileToken, known: string | null): Promise<TextFileReply>;
  /**
   * Replaces the file in one step, with its owner and permissions.
   * @param expected the `content` that may be replaced; null: any. A file that no longer exists is created again.
   */
  save(token: FileToken, bytes: Uint8Array, expected: string | null): Promise<TextFileSaved>;
  /** Writes a chosen target and keeps it for this window. */
  saveAs(target: FileToken, bytes: Uint8Array): Promise<TextFileSaved>;
  /** Tells which of its files this window still needs; it hears of changes of these, and others are forgotten at the next start. */
  follow(tokens: readonly FileToken[]): Promise<void>;
  /** The file was written, replaced, or removed: it may have changed. */
  onTouched(listener: (token: FileToken) => void): void;
}

/** Main answers every request: a promise rejects if the request failed or did not reach main. */
export interface ShellApi {
  windowInfo(): Promise<WindowInfo>;
  /** Asks main to send the ports (again). Call once listening. */
  connect(): Promise<void>;
  /** Native open dialog; empty when canceled. `kind`: what it shows first, databases unless said otherwise. */
  chooseFiles(kind?: FileKind): Promise<readonly OpenedFile[]>;
  /** What it is by its first bytes, whatever its name. */
  contentOf(file: OpenedFile): Promise<FileContent>;
  /** Native save dialog; null when canceled. What it shows first goes by the suggested name. */
  chooseSaveTarget(suggestedName: string): Promise<OpenedFile | null>;
  /** A folder to write files into; null when canceled, and where there are no folders. */
  chooseSaveFolder(): Promise<OpenedFile | null>;
  /** Passes files that the user drops on the window to this listener, which replaces the previous one. */
  onFilesDropped(listener: (files: readonly DroppedFile[]) => void): void;
  /**
   * Makes the file a database of the native engine, or of a process of its own if it is encrypted, and sends this window its ports.
   * `database.open` opens it then.
   */
  openInPlace(file: PlacedFile): Promise<InPlaceReply>;
  /** Ends what tries a key for this window: `openInPlace` then answers `locked`, or has been answered. */
  stopTrying(): Promise<void>;
  /** Writes an empty database with this key to a file that was chosen to be saved, and opens it as `openInPlace` does. */
  createEncrypted(target: FileToken, key: TypedKey): Promise<InPlaceReply>;
  /**
   * Sets, changes, or (null) removes the key of a file that is open in this window only, after its database was closed. Main then knows no
   * key of the file.
   */
  changeKey(locationId: string, key: TypedKey | null): Promise<ChangedKey>;
  /** The user has closed the file in this window. Once it is closed in all, it opens as it is asked for, and not as it was open before. */
  forgetInPlace(locationId: string): Promise<void>;
  /** This system has a key store, so keys of encrypted files can be remembered. */
  canRememberKeys(): Promise<boolean>;
  /** Forgets the key of an encrypted file that was to be remembered. False if there was none. */
  forgetKey(locationId: string): Promise<boolean>;
  /** Starts the native engine, and makes room for a copy of a database that it is to be compared with. */
  createComparisonCopy(): Promise<ComparisonCopyReply>;
  /** The copy is written. Resolves with its id in the native engine, for `compare.openComparisonCopy`; null if the copy is gone. */
  openComparisonCopy(comparisonCopy: string, name: string): Promise<DatabaseId | null>;
  removeComparisonCopy(comparisonCopy: string): Promise<void>;
  /** A file that is open in place, to be copied by the library's worker. */
  comparisonCopySource(locationId: string): Promise<OpenedFile | null>;
  /**
   * Files this window was asked to open (command line, second start, file manager). A file is forgotten when the listener's promise
   * settles; until then a page that is reloaded, or another window if this one is closed, is asked again.
   */
  onOpenRequest(listener: (file: OpenedFile) => Promise<void>): Promise<void>;
  onMenuCommand(listener: MenuCommandListener): void;
  /** Tells which commands are enabled now, and which are on, so that the native menu shows it. */
  setCommandStates(enabled: readonly string[], checked: readonly string[]): Promise<void>;
  /** Entries of the menu that only main knows. */
  systemMenu(): Promise<SystemMenu>;
  /** Has main carry out an entry of the system, or open a recent file. Does nothing while the user does not work in this window. */
  chooseSystemEntry(id: string): Promise<void>;
  /**
   * Called before the window is closed: main asks the user about everything that the listener names, each in a sentence, as lost with it.
   */
  onAskedToClose(listener: () => Promise<readonly string[]>): void;
  /** The window is about to close or the app to quit: main waits (not forever) until the promise settles. */
  onBeforeClose(listener: () => Promise<void>): void;
  setTitle(title: string): Promise<void>;
  newWindow(): Promise<void>;
  closeWindow(): Promise<void>;
  minimizeWindow(): Promise<void>;
  /** Takes a window that is maximized, or fills the screen, back to its size. */
  maximizeWindow(): Promise<void>;
  /** Called with the size now, and after each change. */
  onWindowSize(listener: (size: WindowSize) => void): Promise<void>;
  revealSource(locationId: string): Promise<boolean>;
  /** Shows a file that this window has saved, by the token it was saved under, in its folder. False where it is gone or there are no folders. */
  revealSaved(token: FileToken): Promise<boolean>;
  /** Tells which source files this window wants to hear of, instead of those before. */
  followSources(locationIds: readonly string[]): Promise<void>;
  /** The file, or one of those SQLite keeps beside it, was written, replaced or removed: it may have changed. */
  onSourceTouched(listener: (locationId: string) => void): void;
  /** Shows a PDF of at most `MAX_DOCUMENT_BYTES` in a window of its own, which closes with this one. Desktop only. */
  showDocument(document: ShownDocument): Promise<void>;
  /** Lays text out as the pages of a PDF. Desktop only. */
  printToPdf(pages: PrintedPages): Promise<PrintedPdf>;
  /** @param html the same for programs that take formatted text, such as a table for a word processor */
  writeClipboard(text: string, html?: string): Promise<void>;
  /** @param png the bytes of a PNG */
  writeClipboardImage(png: Uint8Array): Promise<void>;
  /** Null while the user does not work in this window. */
  readClipboard(): Promise<string | null>;
  settings(): Promise<SettingsState>;
  /** @param change null takes a setting back to its default. Rejects, and changes nothing, if a value may not be chosen. */
  changeSettings(change: ChosenSettings): Promise<SettingsState>;
  /** Replaces the settings by those of a file that the user chooses; null when canceled. */
  importSettings(): Promise<ImportedSettings | null>;
  /** Null when canceled. */
  exportSettings(): Promise<ExportedSettings>;
  /** Shows the settings file in its folder. */
  revealSettings(): Promise<void>;
  /** Called after each change, whichever window or program made it. */
  onSettingsChanged(listener: (state: SettingsState) => void): void;
  readonly remote: RemoteShell;
  readonly extensions: ExtensionShell;
  readonly replicas: ReplicaShell;
  readonly unpacked: UnpackedShell;
  readonly git: GitShell;
  readonly assistants: AssistantShell;
  readonly textFiles: TextFileShell;
  readonly bench: BenchShell;
}
