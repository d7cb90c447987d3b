// The question to the user when something has crashed so often that automatic restarts might never end.
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
