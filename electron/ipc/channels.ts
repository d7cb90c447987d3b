// Every channel between main and the preloads, once. Arguments are `unknown` on main's side: they are parsed there, not trusted.
import type { AppStartReply, BenchElsewhere, BenchJob, BenchMachine, BenchMemory } from '#shared/bench/shell.ts';
import type { DatabaseId } from '#shared/protocol/library.ts';
import type { InPlaceReply, OpenedFile, OpenFilesChoice, TwinReply, WindowInfo } from '#shared/shell-api.ts';

/** Asked by a window, answered by main. */
export interface Requests {
  'window.info': WindowInfo;
  'dialog.chooseFiles': readonly OpenedFile[];
  'dialog.chooseSaveTarget': OpenedFile | null;
  /** One answer for each path; null where there is no such file. */
  'file.dropped': readonly (OpenedFile | null)[];
  'file.openInPlace': InPlaceReply;
  /** A copy for the native engine to compare with: where to write it. */
  'twin.create': TwinReply;
  /** It is written. The database it is for the native engine; null when it is gone. */
  'twin.open': DatabaseId | null;
  /** A file that is open in place, to be copied. */
  'twin.source': OpenedFile | null;
  'files.getChoice': OpenFilesChoice;
  'file.revealSource': boolean;
  'bench.begin': BenchElsewhere | null;
  'bench.open': string | null;
  'bench.machine': BenchMachine;
  'bench.job': BenchJob | null;
  'bench.startApp': AppStartReply;
  'bench.openWindow': string | null;
  'bench.memory': BenchMemory | null;
  'clipboard.write': null;
  'clipboard.read': string | null;
}

/** Said by a window. */
export type Notice =
  | 'window.connect' // send me my ports
  | 'window.listensForFiles'
  | 'window.flushed'
  | 'window.setTitle'
  | 'source.follow'
  | 'window.new'
  | 'window.close'
  | 'menu.enable'
  | 'twin.remove'
  | 'files.setChoice'
  | 'bench.end'
  | 'bench.follow' // say which other window measures, now and whenever it changes
  | 'bench.show'
  | 'bench.closeWindow'
  | 'bench.joinWindow'
  | 'bench.tell'
  | 'bench.done'
  | 'theme.set';

/** Said by main to a window. */
export interface Pushes {
  'file.openRequested': OpenedFile;
  'menu.chosen': string;
  'source.touched': string;
  'window.flush': null;
  'bench.elsewhere': BenchElsewhere | null;
}

/** Carry ports: main to a window, main to the host. */
export const WINDOW_PORTS = 'window.ports';
/** The same of the native process. */
export const NATIVE_PORTS = 'window.nativePorts';
/** The same of an engine that is measured. */
export const BENCH_PORT = 'window.benchPort';
export const HOST_MESSAGE = 'host.message';
/** Said by the host page's preload: one of the tags of `HostTag`. */
export const HOST_NOTICE = 'host.notice';
