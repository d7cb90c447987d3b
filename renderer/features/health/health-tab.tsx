// The health page of a database: several parts, one of which is shown, and the current task above them.
import { RefreshCw } from 'lucide-react';
import { useSyncExternalStore, type ReactNode } from 'react';
import { updateTab } from '../../state/store.ts';
import type { TabContentProps } from '../../state/tab-kinds.ts';
import { Button } from '../../ui/button.tsx';
import { CenterMessage } from '../../ui/center-message.tsx';
import { ChoiceRow } from '../../ui/choice-row.tsx';
import { amountText, shareOf, timeLeftText } from '../../ui/progress-text.ts';
import { RunBar, RunProgress } from '../../ui/run-bar.tsx';
import { useElapsed } from '../../ui/use-elapsed.ts';
import { useTimeLeft } from '../../ui/use-time-left.ts';
import { commandKeyLabel, useCommand } from '../../workbench/commands/commands.ts';
import { HEALTH_SECTIONS, type HealthSection, type HealthTab } from '../../workbench/tabs/health.ts';
import { ExtensionsSection } from './extensions-section.tsx';
import { FunctionsSection } from './functions-section.tsx';
import { FindingsSection } from './findings-section.tsx';
import './health.css';
import { healthSessionOf, type HealthSession } from './health-session.ts';
import { isStale, type HealthView, type Running } from './health-view.ts';
import { SettingsSection } from './settings-section.tsx';
import { SpaceSection } from './space-section.tsx';
import { UpkeepSection } from './upkeep-section.tsx';

const LABELS: Readonly<Record<HealthSection, string>> = {
  space: 'Space',
  findings: 'Findings',
  settings: 'Settings',
  upkeep: 'Maintenance',
  extensions: 'Extensions',
  functions: 'Functions',
};

export function HealthTabContent({ tab }: TabContentProps<HealthTab>): ReactNode {
  const session = healthSessionOf(tab);
  const view = useSyncExternalStore(session.subscribe, session.view);
  const { running } = view;
  useCommand('work.stop', () => session.stop(), running !== null);
  useCommand('view.refresh', () => void session.refresh());
  const panel = `health-${tab.id}`;
  return (
    <div className="stack shrink-y full-height health" data-running={running !== null || undefined}>
      <RunBar label="Health">
        <Sections tab={tab} view={view} panel={panel} />
        {running ? <Progress running={running} session={session} /> : <span className="health-room" />}
        <Button
          size="small"
          aria-label="Refresh"
          title={`Read all figures again (${commandKeyLabel('view.refresh')})`}
          onClick={() => void session.refresh()}
        >
          <RefreshCw size={13} aria-hidden /> <span className="health-refresh">Refresh</span>
        </Button>
      </RunBar>
      {isStale(view) && !running && (
        <p className="warn-note fixed small health-stale" role="status">
          The database has changed. These figures are from before the last change.{' '}
          <button type="button" className="link-button" onClick={() => void session.refresh()}>
            Refresh
          </button>
        </p>
      )}
      <div className="fill scroll health-panel" role="tabpanel" id={panel} aria-label={LABELS[tab.section]}>
        <Section tab={tab} view={view} session={session} />
      </div>
    </div>
  );
}

interface SectionProps {
  readonly tab: HealthTab;
  readonly view: HealthView;
  readonly session: HealthSession;
}

function Section({ tab, view, session }: SectionProps): ReactNode {
  const { database, section } = tab;
  // What it lists is known without examining the database.
  if (section === 'extensions') return <ExtensionsSection database={database} />;
  if (section === 'functions') return <FunctionsSection database={database} />;
  if (!view.overview)
    return view.failure === null ? (
      <p className="health-note">Reading…</p>
    ) : (
      <CenterMessage title="The database cannot be examined" text={view.failure} />
    );
  const props = { database, view, overview: view.overview, session };
  if (section === 'findings') return <FindingsSection {...props} />;
  if (section === 'settings') return <SettingsSection {...props} />;
  if (section === 'upkeep') return <UpkeepSection {...props} />;
  return <SpaceSection {...props} />;
}

interface SectionsProps {
  readonly tab: HealthTab;
  readonly view: HealthView;
  readonly panel: string;
}

function Sections({ tab, view, panel }: SectionsProps): ReactNode {
  const findings = Object.values(view.checks).reduce((sum, { reply }) => sum + (reply?.findings.length ?? 0), 0);
  const label = (section: HealthSection): ReactNode => (
    <>
      {LABELS[section]}
      {section === 'findings' && <span className="dim tiny strong health-count">{findings > 0 && findings}</span>}
    </>
  );
  return (
    <ChoiceRow
      label="Parts of the health page"
      choices={HEALTH_SECTIONS.map((section) => ({ id: section, label: label(section) }))}
      chosen={tab.section}
      onChoose={(section) => updateTab<HealthTab>(tab.id, { section })}
      panel={panel}
    />
  );
}

function Progress({ running, session }: { readonly running: Running; readonly session: HealthSession }): ReactNode {
  const { title, startedAtMs, progress, stopping } = running;
  const elapsedMs = useElapsed(startedAtMs);
  const leftMs = useTimeLeft(progress, startedAtMs + (elapsedMs ?? 0));
  if (elapsedMs === null) return <span className="health-room" />;
  const amount = progress?.total ? amountText(progress) : null;
  const parts = [progress?.phase ?? title, amount, leftMs !== null && timeLeftText(leftMs)];
  return (
    <RunProgress
      text={parts.filter(Boolean).join(' · ')}
      share={shareOf(progress)}
      elapsedMs={elapsedMs}
      stopping={stopping}
      stopTitle="Stop and keep what was found so far"
      onStop={() => session.stop()}
    />
  );
}
