// In a plain browser, asks the browser to keep the library. Otherwise it may delete the whole library without asking when disk space is
// low.
import { isDesktop } from '../connection/shell.ts';
import { useStore } from './store.ts';

/** Asks once there is data to lose: some browsers ask the user, who then understands the question. */
export function askToKeepLibrary(): void {
  if (isDesktop) return;
  const isEmpty = (): boolean => (useStore.getState().entries ?? []).length === 0;
  if (!isEmpty()) return void ask();
  const off = useStore.subscribe(() => {
    if (isEmpty()) return;
    off();
    void ask();
  });
}

async function ask(): Promise<void> {
  const isKeptByBrowser = await navigator.storage.persist().catch(() => false);
  useStore.setState({ isKeptByBrowser });
}
