// What a story may ask of the app wherever it runs: as the desktop app, or in a tab of a plain browser.
import type { Page } from '@playwright/test';

export interface TestedApp {
  /** A folder for the files of this test; removed with the profile. */
  readonly folder: string;
  /** Console errors, page errors and policy violations. A test with one fails. */
  readonly problems: readonly string[];
  readonly running: boolean;
  /** Starts it with a new profile, or with the one it had before, opens `files` and answers the first window. */
  start(...files: string[]): Promise<Page>;
  /** Ends it in order and starts it again. */
  relaunch(...files: string[]): Promise<Page>;
  windows(): Page[];
  answerOpenDialog(...filePaths: string[]): Promise<void>;
  /** The next file that is saved goes here. */
  answerSaveDialog(filePath: string): Promise<void>;
  /** Quits it in order; what it has stored stays. */
  quit(): Promise<void>;
  /** Ends it in order after its story. */
  finish(): Promise<void>;
  dispose(): Promise<void>;
  /** Keeps a trace of this test since the last start. The runner itself traces browsers, but not Electron. */
  keepTrace?(path: string): Promise<void>;
  /** Memory images of processes that crashed. */
  crashDumps?(): readonly string[];
  /** Output of all parts of the app. */
  readLog(): string;
}
