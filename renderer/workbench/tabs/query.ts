// The kind of tab in which SQL is written and run.
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { TextFile } from '#shared/text-files.ts';
import { freeTitle, type Tab, type TextTab } from '../../state/slices/tabs.ts';
import { openTab, useStore } from '../../state/store.ts';
import type { LineEnds } from '../cells/line-ends.ts';
import { STORED_MAP, type MapPart } from '../map/map-state.ts';
import { TEXT_ENCODINGS, type TextEncoding } from '../files/text-encoding.ts';
import { SquareTerminal } from 'lucide-react';
import * as v from 'valibot';
import { above0, eachEntry, flag, forgiving, share } from '#shared/stored.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

/** Whether results of an SQL tab follow changes of their tables. */
export interface LiveChoice {
  /** Requested by the user; otherwise only cheap queries are live automatically. */
  readonly pinned: boolean;
  readonly limitMs: number | null;
}

/** `auto`: the type that the text looks like. */
export const PARAMETER_TYPES = ['auto', 'text', 'integer', 'real', 'blob', 'null'] as const;

export interface ParameterEntry {
  readonly type: (typeof PARAMETER_TYPES)[number];
  readonly text: string;
}

/** The file that an SQL tab edits, as it was last read or saved. */
export interface TabFile extends TextFile {
  readonly encoding: TextEncoding;
  readonly lineEnds: LineEnds;
  /** SHA-256 of its bytes. */
  readonly content: string;
  readonly isUnsaved: boolean;
}

export interface QueryTab extends TextTab, MapPart {
  readonly kind: 'query';
  readonly live: LiveChoice;
  /** Parameters by name as written, including names no longer in the text, because that edit may be undone. */
  readonly parameters: Readonly<Record<string, ParameterEntry>>;
  /** Null if the text of the tab is in no file. */
  readonly file: TabFile | null;
}

export const LIVE_BY_ITSELF: LiveChoice = { pinned: false, limitMs: 200 };

const DEFAULT_SPLIT = 0.42;

export const isQueryTab = (tab: Tab | null | undefined): tab is QueryTab => tab?.kind === 'query';

/** Always opens a new tab. Returns its id. */
export function openQuery(
  database: DatabaseId,
  {
    title,
    sql = '',
    parameters = {},
    file = null,
  }: Partial<Pick<QueryTab, 'title' | 'sql' | 'parameters' | 'file'>> = {},
): string {
  return openTab<QueryTab>({
    kind: 'query',
    database,
    title: title ?? freeTitle(useStore.getState().tabs, 'Query'),
    sql,
    split: DEFAULT_SPLIT,
    live: LIVE_BY_ITSELF,
    parameters,
    file,
  });
}

const LIVE = forgiving({ pinned: flag(false), limitMs: v.fallback(v.nullable(above0), LIVE_BY_ITSELF.limitMs) });
const FILE = v.object({
  token: v.string(),
  fileName: v.string(),
  displayPath: v.string(),
  encoding: v.picklist(TEXT_ENCODINGS),
  lineEnds: v.picklist(['lf', 'crlf', 'mixed']),
  content: v.string(),
  isUnsaved: v.boolean(),
});
const PARAMETER = v.object({ type: v.picklist(PARAMETER_TYPES), text: v.string() });

export const QUERY_TAB: TabDescription<QueryTab> = {
  kind: 'query',
  belongsTo: 'database',
  icon: SquareTerminal,
  hasDetails: true,
  canRepeat: true,
  title: ({ title }) => title,
  fields: v.object({
    title: v.string(),
    sql: v.string(),
    split: share(DEFAULT_SPLIT),
    live: LIVE,
    parameters: eachEntry(PARAMETER),
    file: v.fallback(v.nullable(FILE), null),
    map: STORED_MAP,
  }),
  withoutValues: () => ({ parameters: {} }),
  isUnsaved: ({ file }) => file?.isUnsaved === true,
};
