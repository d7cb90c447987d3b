// The kind of tab that compares the schemas of two databases, or of a database and a file.
import { GitCompareArrows } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import * as v from 'valibot';
import { flag, forgiving, oneOf, textOrNull } from '#shared/stored.ts';
import { defineTabKind } from '../../state/tab-kinds.ts';
import { SCHEMA_COMPARE_PARTS } from '../../workbench/schema-compare-tabs.ts';
import type { SchemaCompareTab } from '../../workbench/schema-compare-tabs.ts';

const SIDE = forgiving({
  database: textOrNull,
  file: v.fallback(v.nullable(v.object({ token: v.string(), fileName: v.string() })), null),
  before: v.fallback(v.nullable(v.object({ id: v.number(), title: v.string() })), null),
});

export const SCHEMA_COMPARE_TAB = defineTabKind<SchemaCompareTab>({
  kind: 'schema-compare',
  belongsTo: 'window',
  icon: GitCompareArrows,
  hasDetails: false,
  title: () => 'Compare schemas',
  fields: v.object({
    from: SIDE,
    to: SIDE,
    part: oneOf(SCHEMA_COMPARE_PARTS, 'differences'),
    meaningOnly: flag(true),
    showEqual: flag(false),
  }),
  Content: lazyComponent(async () => ({ default: (await import('./schema-compare-tab.tsx')).SchemaCompareTabContent })),
});
