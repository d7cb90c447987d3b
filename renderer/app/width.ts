// Whether the window has room for three panes, as state.
import { setNarrow } from '../state/store.ts';

/** In a narrower window the details would leave the grid less than half of it. */
const NARROW = '(max-width: 959px)';

export function followWidth(): void {
  const narrow = matchMedia(NARROW);
  const apply = (): void => setNarrow(narrow.matches);
  narrow.addEventListener('change', apply);
  apply();
}
