// The kind of tab in which a table or another object is created or changed: a form and its SQL.
import { Table2 } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import * as v from 'valibot';
import { share, textOrNull } from '#shared/stored.ts';
import { defineTabKind } from '../../state/tab-kinds.ts';
import { DESIGN_SPLIT, DESIGNED_KINDS } from '../../workbench/design-tabs.ts';
import type { DesignTab } from '../../workbench/design-tabs.ts';

const Content = lazyComponent(async () => ({ default: (await import('./design-tab.tsx')).DesignTabContent }));

export const DESIGN_TAB = defineTabKind<DesignTab>({
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
  // The statement reader and the editor are loaded with the first design.
  Content,
  load: Content.load,
});
