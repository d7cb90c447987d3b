// Every channel between main and the preloads. Arguments are `unknown` in main: it parses them and does not trust them.
import type { FileContent, UnpackedPlace } from '#shared/archives.ts';
import type { AssistantServer, AssistantSession, ProposedChange } from '#shared/assistants.ts';
import type { GitCommits, GitRevisionReply } from '#shared/git.ts';
import type { PrintedPdf } from '#shared/printing.ts';
import type { AppStartReply, BenchElsewhere, BenchJob, BenchMachine, BenchMemory } from '#shared/bench/shell.ts';
import type { RemoteList, RemoteSaved, RemoteTest } from '#shared/protocol/remote.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { ExtensionsReply } from '#shared/extensions.ts';
import type { ChangedKey } from '#shared/native-link.ts';
import type { SystemMenu } from '#shared/menu.ts';
import type { ReplicaMoments, ReplicaProgram, ReplicaReply, RestoredReply } from '#shared/replicas.ts';
import type {
  ComparisonCopyReply,
  ExportedSettings,
  ImportedSettings,
  InPlaceReply,
  OpenedFile,
  WindowInfo,
  WindowSize,
} from '#shared/shell-api.ts';
import type { SettingsState } from '#shared/settings/read-settings.ts';
import type { TextFileReply, TextFileSaved } from '#shared/text-files.ts';

/**
 * Requests of a window, which main answers. A page sends nothing without an answer: a request that is refused, or fails, rejects in the
 * page and is in the log.
 */
export interface Requests {
  'window.info': WindowInfo;
  /** Requests the window's ports. New ones are sent automatically after each restart of the host. */
  'window.connect': null;
  /** Answered once main starts sending this window the files it was asked to open. */
  'window.listensForFiles': null;
  'window.setTitle': null;
  'window.new': null;
  'window.close': null;
  'window.minimize': null;
  /** Maximizes the window; takes it back to its size if it is maximized or fills the screen. */
  'window.maximize': null;
  /** Answered once main tells of the size, now and whenever it changes. */
  'window.followSize': null;
  'menu.states': null;
  'menu.system': SystemMenu;
  'menu.choose': null;
  /** The page starts listening: messages that the previous page has not finished are sent again. */
  'outbox.begin': null;
  'outbox.done': null;
  'source.follow': null;
  'settings.get': SettingsState;
  'settings.change': SettingsState;
  /** Null if the user canceled. */
  'settings.import': ImportedSettings | null;
  'settings.export': ExportedSettings;
  'settings.reveal': null;
  'dialog.chooseFiles': readonly OpenedFile[];
  'dialog.chooseSaveTarget': OpenedFile | null;
  'dialog.chooseSaveFolder': OpenedFile | null;
  /** One answer per path; null if there is no such file. Null for all if nobody confirms that they were dropped. */
  'file.dropped': readonly (OpenedFile | null)[] | null;
  'file.contentOf': FileContent;
  'file.openInPlace': InPlaceReply;
  'file.stopTrying': null;
  'file.createEncrypted': InPlaceReply;
  'file.changeKey': ChangedKey;
  'file.canRememberKeys': boolean;
  'file.forgetInPlace': null;
  /** False if no key was remembered. */
  'file.forgetKey': boolean;
  /** Creates a copy for the native engine to compare with, and returns where to write it. */
  'comparisonCopy.create': ComparisonCopyReply;
  /** The copy is written. Returns its database id in the native engine; null if the copy is gone. */
  'comparisonCopy.open': DatabaseId | null;
  /** A file that is open in place, to be copied. */
  'comparisonCopy.source': OpenedFile | null;
  'comparisonCopy.remove': null;
  /** Makes room for a database to unpack. */
  'unpacked.create': UnpackedPlace;
  /** It is unpacked. Returns its database id; null if it, or the archive, is gone. */
  'unpacked.open': DatabaseId | null;
  'unpacked.discard': null;
  'git.isInRepository': boolean;
  'git.commits': GitCommits;
  /** Returns the database id of a copy, which `unpacked.discard` removes. */
  'git.open': GitRevisionReply;
  'git.stop': null;
  'file.revealSource': boolean;
  /** A file this window has saved. */
  'file.revealSaved': boolean;
  'textFile.open': TextFileReply;
  'textFile.read': TextFileReply;
  'textFile.save': TextFileSaved;
  'textFile.saveAs': TextFileSaved;
  'textFile.follow': null;
  'bench.begin': BenchElsewhere | null;
  'bench.open': string | null;
  'bench.machine': BenchMachine;
  'bench.job': BenchJob | null;
  'bench.startApp': AppStartReply;
  'bench.openWindow': string | null;
  'bench.memory': BenchMemory | null;
  'bench.close': null;
  'bench.end': null;
  /** Requests a report of the other window that measures, now and whenever it changes. */
  'bench.follow': null;
  'bench.show': null;
  'bench.closeWindow': null;
  'bench.joinWindow': null;
  'bench.takeFiles': null;
  'bench.tell': null;
  'bench.done': null;
  'remote.list': RemoteList;
  'remote.save': RemoteSaved;
  'remote.remove': null;
  'remote.test': RemoteTest;
  /** Why the window cannot connect; null: its ports are on their way. */
  'remote.open': string | null;
  /** A file comes only from the dialog that main shows. */
  'extension.add': ExtensionsReply;
  'extension.approve': ExtensionsReply;
  'extension.remove': ExtensionsReply;
  'extension.retry': ExtensionsReply;
  'extension.trustSchema': ExtensionsReply;
  'replica.program': ReplicaProgram;
  'replica.chooseProgram': ReplicaProgram | null;
  'replica.chooseFolder': ReplicaReply | null;
  'replica.reachStorage': ReplicaReply;
  'replica.moments': ReplicaMoments;
  'replica.restore': RestoredReply;
  'replica.written': number;
  'replica.stop': null;
  'replica.leave': null;
  'replica.discard': null;
  /** A page begins, with the sessions as they are now. */
  'assistant.begin': readonly AssistantSession[];
  'assistant.read': ProposedChange | null;
  'assistant.settle': boolean;
  'assistant.end': null;
  'assistant.serverOf': AssistantServer | null;
  'document.show': null;
  'print.toPdf': PrintedPdf;
  'clipboard.write': null;
  'clipboard.writeImage': null;
  'clipboard.read': string | null;
}

/** Messages from main to a window, each kept until the page acknowledges it: see `windows/outbox.ts`. */
export interface PageMessages {
  /** Acknowledged when nothing can be lost: the file was opened, or the user knows why not. */
  'file.openRequested': OpenedFile;
  'menu.chosen': string;
  'window.size': WindowSize;
  'source.touched': string;
  'settings.changed': SettingsState;
  /** A text file of an SQL tab may have changed. */
  'textFile.touched': string;
  /** Answered with a sentence for each piece of work that would be lost. */
  'window.askedToClose': null;
  /** Acknowledged when the page has saved. */
  'window.flush': null;
  'bench.elsewhere': BenchElsewhere | null;
  'remote.changed': RemoteList;
  'assistant.changed': readonly AssistantSession[];
}

export const PAGE_MESSAGE = 'window.message';

/** Carries ports from main to a window, and from main to the host. */
export const WINDOW_PORTS = 'window.ports';
/** Carries the ports of the engine processes: of files in place, and of remote databases. */
export const ENGINE_PORTS = 'window.enginePorts';
/** Carries the port of an engine that is being measured. */
export const BENCH_PORT = 'window.benchPort';
export const HOST_MESSAGE = 'host.message';
/** Sent by the host page's preload: one of the tags of `HostTag`. */
export const HOST_NOTICE = 'host.notice';
