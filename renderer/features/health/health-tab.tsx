// The health page of a database: several parts, one of which is shown, and the current task above them.
import { RefreshCw, Puzzle } from 'lucide-react';
import { type ReactNode } from 'react';
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
import { FunctionsSection } from './functions-section.tsx';
import { FindingsSection } from './findings-section.tsx';
import './health.css';
import { healthSessionOf, type HealthSession } from './health-session.ts';
import { isStale, type HealthView, type Running, type UpkeepKind } from './health-view.ts';
import { SettingsSection } from './settings-section.tsx';
import { SpaceSection } from './space-section.tsx';
import { capabilitiesOf, type DatabaseId } from '#shared/protocol/index.ts';
import type { ExtensionState } from '#shared/extensions.ts';
import { visibleName, visibleText } from '#shared/visible-text.ts';
import { CheckBox } from '../../ui/check-box.tsx';
import { plural, formatElapsed } from '../../ui/format.ts';
import {
  addExtension,
  approveExtension,
  loadAgain,
  removeExtension,
  trustSchema,
  useExtensions,
  useTrustsSchema,
  whyNoExtensions,
} from '../../workbench/databases/extensions.ts';
import type { SectionProps } from './section-props.ts';
import { expectedGain, expectedMs, resultText, UPKEEP } from './upkeep.ts';

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
  const view = session.useView();
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

interface ChosenSectionProps {
  readonly tab: HealthTab;
  readonly view: HealthView;
  readonly session: HealthSession;
}

function Section({ tab, view, session }: ChosenSectionProps): ReactNode {
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

function ExtensionsSection({ database }: { readonly database: DatabaseId }): ReactNode {
  const extensions = useExtensions(database);
  const why = whyNoExtensions(database);
  return (
    <div className="health-extensions">
      <p className="health-note">
        Extensions add functions and virtual tables to SQLite, such as sqlite-vec or SpatiaLite. An extension is a
        program that runs with your rights, so each file is loaded only after you have approved it, into this database
        only, and again only while the file stays the same. The database then runs in a process of its own. No list of
        extensions in a database, in settings, or in a recipe is ever loaded.
      </p>
      {why !== null && <p className="warn-note fixed small health-problem">{why}</p>}
      {extensions.length > 0 && (
        <>
          <ul aria-label="Extensions of this database">
            {extensions.map((extension) => (
              <ExtensionLine key={extension.id} database={database} extension={extension} />
            ))}
          </ul>
          <SchemaTrust database={database} />
        </>
      )}
      <Button size="small" why={why} onClick={() => void addExtension(database)}>
        Add extension…
      </Button>
    </div>
  );
}

function SchemaTrust({ database }: { readonly database: DatabaseId }): ReactNode {
  return (
    <div>
      <CheckBox
        label="Let views, triggers, and indexes use all functions of extensions"
        checked={useTrustsSchema(database)}
        aria-describedby="schema-trust-note"
        onChange={(trusts) => void trustSchema(database, trusts)}
      />
      <p id="schema-trust-note" className="health-note">
        Otherwise they use only those that an extension declares harmless, which most extensions do not: tables of
        SpatiaLite then cannot be changed. If they may use all, whoever made this file decides which functions run when
        it is read or changed, and with which values.
      </p>
    </div>
  );
}

interface ExtensionLineProps {
  readonly database: DatabaseId;
  readonly extension: ExtensionState;
}

function ExtensionLine({ database, extension }: ExtensionLineProps): ReactNode {
  const { fileName, displayPath, why, awaitsApproval } = extension;
  return (
    <li aria-label={visibleName(fileName)}>
      <Puzzle size={15} aria-hidden />
      <span className="shrink-x break-words">
        <b className="selectable">{visibleName(fileName)}</b>
        <span className="note selectable health-setting-more">{visibleText(displayPath)}</span>
        {why === null ? (
          <span className="health-extension-adds">{addedText(extension)}</span>
        ) : (
          <span className="error" role="status">
            {visibleText(why)}
          </span>
        )}
      </span>
      {awaitsApproval ? (
        <Button size="small" onClick={() => void approveExtension(database, extension)}>
          Approve…
        </Button>
      ) : (
        why !== null && (
          <Button size="small" onClick={() => void loadAgain(database)}>
            Load again
          </Button>
        )
      )}
      <Button size="small" onClick={() => void removeExtension(database, extension)}>
        Remove
      </Button>
    </li>
  );
}

const MOST_MODULES = 8;

function addedText({ functions, modules }: ExtensionState): string {
  const named = modules.slice(0, MOST_MODULES).map(visibleName);
  if (modules.length > MOST_MODULES) named.push(`${modules.length - MOST_MODULES} more`);
  const parts = [
    ...(functions > 0 ? [plural(functions, 'function')] : []),
    ...(modules.length > 0 ? [`${plural(modules.length, 'module')} (${named.join(', ')})`] : []),
  ];
  return parts.length === 0 ? 'Loaded.' : `Loaded: ${parts.join(' and ')}.`;
}

const KINDS: readonly UpkeepKind[] = ['optimize', 'analyze', 'vacuum', 'reindex'];

const KINDS_ON_SERVER: readonly UpkeepKind[] = ['reindex'];

function UpkeepSection({ database, view, overview, session }: SectionProps): ReactNode {
  const canMaintain = capabilitiesOf(database).maintenance;
  return (
    <div className="gap-12 health-upkeep">
      {view.problem !== null && <p className="warn-note fixed small health-problem">{view.problem}</p>}
      {!canMaintain && (
        <p className="health-note">
          The server maintains its file itself: clients cannot run VACUUM, ANALYZE, or PRAGMA optimize.
        </p>
      )}
      {(canMaintain ? KINDS : KINDS_ON_SERVER).map((kind) => (
        <UpkeepCard key={kind} {...{ kind, database, view, overview, session }} />
      ))}
    </div>
  );
}

interface UpkeepCardProps extends Pick<SectionProps, 'database' | 'view' | 'overview' | 'session'> {
  readonly kind: UpkeepKind;
}

function UpkeepCard({ kind, database, view, overview, session }: UpkeepCardProps): ReactNode {
  const { title, button, meaning } = UPKEEP[kind];
  const { upkeep, running, sizes } = view;
  const ms = expectedMs(kind, sizes.reply, database);
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p>{meaning}</p>
      <p className="health-gain">{expectedGain(kind, overview, sizes.reply)}</p>
      <div className="row wrap health-upkeep-run">
        <Button
          size="small"
          why={running?.work === 'upkeep' ? 'Something else is running' : null}
          onClick={() => void session.runUpkeep(kind)}
        >
          {button}
        </Button>
        {ms !== null && <span className="note">{durationText(ms)}</span>}
      </div>
      {upkeep?.kind === kind && (
        <p className="health-result" role="status">
          {resultText(upkeep)}
        </p>
      )}
    </section>
  );
}

const durationText = (ms: number): string =>
  ms < 1000
    ? 'Takes less than a second'
    : `Takes roughly ${formatElapsed(ms)}, estimated from the time it took to count this file`;
