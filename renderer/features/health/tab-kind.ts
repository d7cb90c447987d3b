// The kind of tab that shows the state of a database: where its bytes are, what is wrong in it, its settings and its upkeep.
import { Activity } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import * as v from 'valibot';
import { oneOf } from '#shared/stored.ts';
import { defineTabKind } from '../../state/tab-kinds.ts';
import { HEALTH_SECTIONS } from '../../workbench/health-tabs.ts';
import type { HealthTab } from '../../workbench/health-tabs.ts';

export const HEALTH_TAB = defineTabKind<HealthTab>({
  kind: 'health',
  belongsTo: 'database',
  icon: Activity,
  hasDetails: false,
  title: () => 'Health',
  isSame: () => true,
  fields: v.object({ section: oneOf(HEALTH_SECTIONS, 'space') }),
  Content: lazyComponent(async () => ({ default: (await import('./health-tab.tsx')).HealthTabContent })),
});
