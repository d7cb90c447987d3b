// The kind of tab in which a table or another object is created or changed: a form and its SQL.
import type { DatabaseId, SchemaObject } from '#shared/protocol/index.ts';
import { freeTitle, type Tab, type TextTab } from '../../state/slices/tabs.ts';
import { activateTab, openTab, useStore } from '../../state/store.ts';
import { refusesWork } from '../databases/no-transactions.ts';
import { newFullTextSql, NEW_RTREE, NEW_TABLE, newViewSql } from '../objects/design-templates.ts';
import { Table2 } from 'lucide-react';
import * as v from 'valibot';
import { share, textOrNull } from '#shared/stored.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

const DESIGNED_KINDS = ['table', 'index', 'view', 'trigger', 'virtual'] as const;
export type DesignedKind = (typeof DESIGNED_KINDS)[number];

export const KIND_WORDS: Readonly<Record<DesignedKind, string>> = {
  table: 'table',
  index: 'index',
  view: 'view',
  trigger: 'trigger',
  virtual: 'virtual table',
};

export interface DesignTab extends TextTab {
  readonly kind: 'design';
  readonly object: DesignedKind;
  /** The statement of the object when the design began; null for a new one. */
  readonly base: string | null;
  /** The object's name in the database; null for a new object. */
  readonly name: string | null;
  /** For each column of a table in the text, its index in `base`; null for a new column. */
  readonly identity: readonly (number | null)[];
}

/** The table that the tab changes; null: none. */
export function designedTable(tab: Tab | null): string | null {
  const design = tab?.kind === 'design' ? (tab as DesignTab) : null;
  return design?.object === 'table' ? design.name : null;
}

/** Opens the tab of this table or other object, or a new one. */
export function openDesign(database: DatabaseId, name: string, sql: string, object: DesignedKind = 'table'): void {
  const open = useStore.getState().tabs.find((tab) => {
    const design = tab as DesignTab;
    return tab.kind === 'design' && tab.database === database && design.object === object && design.name === name;
  });
  if (open) return activateTab(open.id);
  if (refusesWork(database, 'design')) return;
  openTab<DesignTab>({
    kind: 'design',
    database,
    object,
    title: name,
    sql,
    split: DESIGN_SPLIT,
    base: sql,
    name,
    identity: [],
  });
}

/** The part below the text shows only the changes, which are none at first. */
const DESIGN_SPLIT = 0.7;

const KNOWN_MODULE = /\bUSING\s+["'`[]?(?:fts5|rtree|rtree_i32)\b/i;

/** Kind of an object in the designer; null if the designer has no form for it. */
export function designedKind({ kind, sql }: SchemaObject): DesignedKind | null {
  if (sql === null || (kind === 'virtual' && !KNOWN_MODULE.test(sql))) return null;
  return DESIGNED_KINDS.find((one) => one === kind) ?? null;
}

export function openObjectDesign(database: DatabaseId, object: SchemaObject): void {
  const kind = designedKind(object);
  if (kind !== null) openDesign(database, object.name, object.sql!, kind);
}

export function openNew(database: DatabaseId, object: DesignedKind, sql: string): void {
  if (refusesWork(database, 'design')) return;
  const title = freeTitle(useStore.getState().tabs, `New ${KIND_WORDS[object]}`);
  openTab<DesignTab>({
    kind: 'design',
    database,
    object,
    title,
    sql,
    split: DESIGN_SPLIT,
    base: null,
    name: null,
    identity: [],
  });
}

export function openNewTable(database: DatabaseId): void {
  openNew(database, 'table', NEW_TABLE);
}

/** @param from the table or view it reads; null: none */
export function openNewView(database: DatabaseId, from: string | null): void {
  openNew(database, 'view', newViewSql(from));
}

/** @param from the table whose text the new table indexes; null: it keeps text of its own */
export function openNewFullText(database: DatabaseId, from: Parameters<typeof newFullTextSql>[0]): void {
  openNew(database, 'virtual', newFullTextSql(from));
}

export function openNewRTree(database: DatabaseId): void {
  openNew(database, 'virtual', NEW_RTREE);
}

export const DESIGN_TAB: TabDescription<DesignTab> = {
  kind: 'design',
  belongsTo: 'database',
  icon: Table2,
  hasDetails: false,
  followNames: ({ name }, nameNow) => (name === null ? {} : { name: nameNow(name), title: nameNow(name) }),
  title: ({ title, name }) => (name === null ? title : `Design ${title}`),
  fields: v.object({
    title: v.string(),
    sql: v.string(),
    split: share(DESIGN_SPLIT),
    base: textOrNull,
    object: v.fallback(v.picklist(DESIGNED_KINDS), 'table'),
    name: textOrNull,
    identity: v.fallback(v.array(v.nullable(v.number())), []),
  }),
};
