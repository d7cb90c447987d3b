// Actions on all settings at once: each can be undone from its message.
import { isDesktop, shell } from '../../connection/shell.ts';
import { changeBack } from '#shared/settings/read-settings.ts';
import type { ChosenSettings } from '#shared/settings/read-settings.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useSettings } from '../../state/settings.ts';
import { changeSettings, takeAndRemember } from '../../state/settings-sync.ts';
import { notify } from '../../state/store.ts';
import { plural } from '../../ui/format.ts';

const TOPIC = 'settings';

export async function importSettings(): Promise<void> {
  const before = useSettings.getState().chosen;
  try {
    const imported = await shell.importSettings();
    if (imported === null) return;
    if ('why' in imported) return notify({ tone: 'error', topic: TOPIC, text: imported.why });
    takeAndRemember(imported);
    const { problems } = useSettings.getState();
    const notTaken =
      problems.length > 0 ? ` ${plural(problems.length, 'value')} cannot be used: see the settings page.` : '';
    tellWithUndo(`The settings were imported.${notTaken}`, before);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

export async function exportSettings(): Promise<void> {
  try {
    const exported = await shell.exportSettings();
    if (exported === null) return;
    if (exported !== true) return notify({ tone: 'error', topic: TOPIC, text: exported.why });
    if (isDesktop)
      notify({
        tone: 'success',
        topic: TOPIC,
        text: 'The settings were exported. Import the file on another machine.',
      });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

export async function resetAll(): Promise<void> {
  const before = useSettings.getState().chosen;
  try {
    await changeSettings(changeBack({}, before));
    tellWithUndo('All settings are back to their defaults.', before);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

function tellWithUndo(text: string, before: ChosenSettings): void {
  const undo = (): void => void changeSettings(changeBack(before, useSettings.getState().chosen)).catch(notifyFailure);
  notify({ tone: 'success', topic: TOPIC, text, action: { label: 'Undo', run: undo } });
}
