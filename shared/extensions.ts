// Loadable extensions of SQLite (sqlite.org/loadext.html): what main, the engine, and the window tell each other about those of a database.

/** An extension in the list of a database. */
export interface ListedExtension {
  /** Names it to main, which alone takes its path. */
  readonly id: string;
  readonly fileName: string;
  readonly displayPath: string;
  /** Why it is not loaded, in a sentence; null: it is to be. */
  readonly why: string | null;
  /** It is loaded once the user has approved the file as it is now. */
  readonly awaitsApproval?: true;
}

/** A file that the engine loads unless there is a reason not to. */
export interface ExtensionFile extends ListedExtension {
  readonly path: string;
}

/** The same for the process that opens the database, which copies the file, and loads the copy only if it is what was approved. */
export interface ExtensionToLoad extends ExtensionFile {
  /** In hexadecimal. Null: whatever is there, because the user has named the file on the command line. */
  readonly sha256: string | null;
}

/** An extension as it is in a connection. */
export interface ExtensionState extends ListedExtension {
  /** Number of the functions that it added. */
  readonly functions: number;
  /** Names of the modules that it added, for virtual tables and table-valued functions. */
  readonly modules: readonly string[];
}

/** What the extensions of a connection add, for completion. */
export interface AddedNames {
  readonly functions: readonly AddedFunction[];
  readonly tables: readonly AddedTable[];
}

export interface AddedFunction {
  readonly name: string;
  /** Numbers of arguments that it takes; -1: any number. */
  readonly argumentCounts: readonly number[];
}

/** A table-valued function. */
export interface AddedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Hidden columns, which are its arguments. */
  readonly parameters: readonly string[];
}

/** Whether the list of a database has changed, or why not. */
export type ExtensionsReply = { readonly changed: boolean } | { readonly why: string };

/** Requests about the extensions of a file that the window has open. A path only ever comes from a dialog of the system. */
export interface ExtensionShell {
  /** Lets the user choose a file, and approve it if it is not approved yet. */
  add(locationId: string): Promise<ExtensionsReply>;
  /** Asks about a file that has changed since it was approved. */
  approve(locationId: string, id: string): Promise<ExtensionsReply>;
  remove(locationId: string, id: string): Promise<ExtensionsReply>;
  /** Lets those be loaded again that were given up after crashes. */
  retry(locationId: string): Promise<ExtensionsReply>;
  /** Whether views, triggers, and indexes of the file may use all functions of its extensions. The user is asked before they may. */
  trustSchema(locationId: string, trusts: boolean): Promise<ExtensionsReply>;
}

/** A larger file is not approved. */
export const MOST_EXTENSION_BYTES = 1 << 30;

export const CHANGED_SINCE_APPROVED = 'The file has changed since it was approved, so it was not loaded.';

/** A part of SQLite that a schema needs and this connection does not have. */
export interface MissingPart {
  readonly kind: 'module' | 'tokenizer' | 'function' | 'collation';
  readonly name: string;
}

/** What usually provides a part, by its name: names of files or projects, as their own documentation spells them. */
const PROVIDERS: readonly (readonly [RegExp, string])[] = [
  [/^vec(?:0|_\w+)$/i, 'sqlite-vec (the file vec0)'],
  [/^vss(?:0|_\w+)$/i, 'sqlite-vss (the file vss0)'],
  [
    /^(?:virtual\w+|spatialindex|elementarygeometries|st_\w+|geometrytype|isvalidgeometry|srid)$/i,
    'SpatiaLite (the file mod_spatialite)',
  ],
  [/^(?:spellfix1(?:_\w+)?|editdist[13])$/i, 'spellfix, from the folder ext/misc of SQLite'],
  [
    /^(?:amatch|approximate_match|closure|transitive_closure|csv|fsdir|fuzzer|generate_series|zipfile)$/i,
    'a file of the folder ext/misc of SQLite',
  ],
  [/^icu(?:_\w+)?$/i, 'the ICU extension of SQLite'],
  [/^(?:simple|jieba)$/i, 'libsimple'],
  [/^better_trigram$/i, 'better-trigram'],
  [/^snowball$/i, 'fts5-snowball'],
  [/^(?:define|vsv|fuzzy_\w+|ip(?:contains|family|host|masklen|network))$/i, 'sqlean'],
];

/** Says what is missing, and what usually provides it, in a sentence or two. */
export function missingText({ kind, name }: MissingPart): string {
  const provider = PROVIDERS.find(([pattern]) => pattern.test(name))?.[1];
  const what = `The ${kind} “${name}” is not part of SQLite.`;
  if (provider !== undefined) return `${what} It usually comes with ${provider}.`;
  if (kind === 'module' || kind === 'tokenizer') return `${what} An extension may provide it.`;
  return `${what} An extension may provide it, or the program that uses this database.`;
}
