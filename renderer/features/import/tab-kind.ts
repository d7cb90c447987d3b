// The kind of tab that imports the rows of one file. A tab, not a dialog: users who look at a thousand rows also want to see the target
// tables, an import of an hour needs a place to return to, and its summary is read after other work.
import { Import } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import * as v from 'valibot';
import { forgiving, renamedField, textOrNull } from '#shared/stored.ts';
import { defineTabKind } from '../../state/tab-kinds.ts';
import type { ImportTab } from '../../workbench/import-tabs.ts';

export const IMPORT_TAB = defineTabKind<ImportTab>({
  kind: 'import',
  belongsTo: 'window',
  icon: Import,
  hasDetails: false,
  title: ({ fileName }) => `Import ${fileName}`,
  fields: renamedField(
    'sourceId',
    'locationId',
    v.object({
      fileName: v.string(),
      token: textOrNull,
      locationId: textOrNull,
      into: forgiving({ database: textOrNull, table: textOrNull }),
    }),
  ),
  Content: lazyComponent(async () => ({ default: (await import('./import-tab.tsx')).ImportTabContent })),
});
