// Props of each section of the health page.
import type { DatabaseId, HealthOverview } from '#shared/protocol/index.ts';
import type { HealthSession } from './health-session.ts';
import type { HealthView } from './health-view.ts';

export interface SectionProps {
  readonly database: DatabaseId;
  readonly view: HealthView;
  readonly overview: HealthOverview;
  readonly session: HealthSession;
}
