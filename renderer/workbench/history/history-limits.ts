// Tells the engines how much their histories may keep: the limits in the settings, as soon as an engine is there and whenever the settings
// change.
import { engineOf } from '#shared/protocol/index.ts';
import { libraryClient, nativeClient, processClients } from '../../connection/database-client.ts';
import type { ReconnectingClient } from '../../connection/reconnecting-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useSettings, type WindowSettings } from '../../state/settings.ts';

/** Megabytes are decimal everywhere in the window. */
const MB = 1e6;
const HISTORY = ['history.totalMegabytes', 'history.stepMegabytes'] as const;
const QUERY_HISTORY = ['queryHistory.runs'] as const;

export function startHistoryLimits(): void {
  const connected = new Set<ReconnectingClient>();
  const follow = (engine: ReconnectingClient): (() => void) =>
    engine.onStatus(({ status }) => {
      if (status !== 'connected') return void connected.delete(engine);
      connected.add(engine);
      // Defaults, too: an engine keeps the limits it was told last, which may be from before the settings were reset.
      setHistoryLimits(engine);
      if (engine === libraryClient) setRuns();
    });
  [libraryClient, nativeClient].forEach(follow);
  processClients.followAll(({ database, client }) => (engineOf(database) === 'remote' ? undefined : follow(client)));
  useSettings.subscribe((now, before) => {
    if (differ(HISTORY, now, before)) connected.forEach(setHistoryLimits);
    if (differ(QUERY_HISTORY, now, before) && connected.has(libraryClient)) setRuns();
  });
}

const differ = (
  keys: readonly (keyof WindowSettings['values'])[],
  { values: now }: WindowSettings,
  { values: before }: WindowSettings,
): boolean => keys.some((key) => now[key] !== before[key]);

function setHistoryLimits(engine: ReconnectingClient): void {
  const { values } = useSettings.getState();
  const totalBytes = values['history.totalMegabytes'] * MB;
  const stepBytes = Math.min(values['history.stepMegabytes'] * MB, totalBytes);
  engine.call('history.setLimits', { database: '', totalBytes, stepBytes }).catch(notifyFailure);
}

function setRuns(): void {
  const { values } = useSettings.getState();
  libraryClient.call('queryLog.setLimit', { runs: values['queryHistory.runs'] }).catch(notifyFailure);
}
