// Asked when something crashed so often that starting it once more by itself would go on for ever.
import { dialog } from 'electron';

export async function askAfterCrashes(message: string, giveUpLabel: string): Promise<'again' | 'give up'> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message,
    detail: 'Committed changes are safe in your library.',
    buttons: ['Try Again', giveUpLabel],
    defaultId: 0,
    cancelId: 0,
  });
  return response === 0 ? 'again' : 'give up';
}
