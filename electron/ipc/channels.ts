// Every channel between main and the preloads, once. Arguments are `unknown` on main's side: they are parsed there, not trusted.
import type { AppStartReply, BenchElsewhere, BenchJob, BenchMachine, BenchMemory } from '#shared/bench/shell.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { InPlaceReply, OpenedFile, OpenFilesChoice, ComparisonCopyReply, WindowInfo } from '#shared/shell-api.ts';

/**
 * Asked by a window, answered by main. A page says nothing without an answer: what is refused, or fails, rejects there and is in the log.
 */
export interface Requests {
  'window.info': WindowInfo;
  /** Send me my ports. They come by themselves again after each restart of the host. */
  'window.connect': null;
  /** Answered once main sends this window the files it was asked to open. */
  'window.listensForFiles': null;
  'window.setTitle': null;
  'window.new': null;
  'window.close': null;
  'menu.enable': null;
  /** The page begins to listen: what the one before it has not dealt with is sent again. */
  'letters.begin': null;
  'letters.done': null;
  'source.follow': null;
  'theme.set': null;
  'dialog.chooseFiles': readonly OpenedFile[];
  'dialog.chooseSaveTarget': OpenedFile | null;
  'dialog.chooseSaveFolder': OpenedFile | null;
  /** One answer for each path; null where there is no such file. */
  'file.dropped': readonly (OpenedFile | null)[];
  /** It begins as every SQLite database does. */
  'file.isDatabase': boolean;
  'file.openInPlace': InPlaceReply;
  /** A copy for the native engine to compare with: where to write it. */
  'comparisonCopy.create': ComparisonCopyReply;
  /** It is written. The database it is for the native engine; null when it is gone. */
  'comparisonCopy.open': DatabaseId | null;
  /** A file that is open in place, to be copied. */
  'comparisonCopy.source': OpenedFile | null;
  'comparisonCopy.remove': null;
  'files.getChoice': OpenFilesChoice;
  'files.setChoice': null;
  'file.revealSource': boolean;
  /** A file this window has saved. */
  'file.revealSaved': boolean;
  'bench.begin': BenchElsewhere | null;
  'bench.open': string | null;
  'bench.machine': BenchMachine;
  'bench.job': BenchJob | null;
  'bench.startApp': AppStartReply;
  'bench.openWindow': string | null;
  'bench.memory': BenchMemory | null;
  'bench.close': null;
  'bench.end': null;
  /** Say which other window measures, now and whenever it changes. */
  'bench.follow': null;
  'bench.show': null;
  'bench.closeWindow': null;
  'bench.joinWindow': null;
  'bench.takeFiles': null;
  'bench.tell': null;
  'bench.done': null;
  'clipboard.write': null;
  'clipboard.read': string | null;
}

/** What main tells a window, each in a letter that the page answers: see `windows/letters.ts`. */
export interface Letters {
  /** Answered when nothing can be lost of it any more: it was opened, or the person knows why not. */
  'file.openRequested': OpenedFile;
  'menu.chosen': string;
  'source.touched': string;
  /** Answered when the page has saved. */
  'window.flush': null;
  'bench.elsewhere': BenchElsewhere | null;
}

export const LETTER = 'window.letter';

/** Carry ports: main to a window, main to the host. */
export const WINDOW_PORTS = 'window.ports';
/** The same of the native process. */
export const NATIVE_PORTS = 'window.nativePorts';
/** The same of an engine that is measured. */
export const BENCH_PORT = 'window.benchPort';
export const HOST_MESSAGE = 'host.message';
/** Said by the host page's preload: one of the tags of `HostTag`. */
export const HOST_NOTICE = 'host.notice';
