// Edits the current value in the details panel, which takes the focus once the whole value is there.
import { areDetailsVisible } from '../../state/slices/ui.ts';
import { toggleDetails, useStore } from '../../state/store.ts';

export function editInDetails(): void {
  if (!areDetailsVisible(useStore.getState())) toggleDetails();
  useStore.setState({ detailEditAsked: true, detailWaits: false });
}
