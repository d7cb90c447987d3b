// In a plain browser: asks that the library is kept. Otherwise the browser may remove all of it, unasked, when space gets short.
import { isDesktop } from '../connection/shell.ts';
import { useStore } from './store.ts';

/** Asks once there is something to lose: some browsers ask the person, who knows by then what for. */
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
