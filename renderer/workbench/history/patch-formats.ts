// Formats that a step can be saved in. The worker writes them: worker/history/patch/export-patch.ts.
import type { HistoryOperations } from '#shared/protocol/history.ts';
import type { FileFormat } from '../files/export-format.ts';

export interface PatchFormat extends FileFormat {
  readonly id: HistoryOperations['patch.export']['params']['format'];
}

export const PATCH_FORMATS: readonly PatchFormat[] = [
  { id: 'changeset', extension: 'changeset', label: 'Changeset: to apply to another copy' },
  { id: 'sql', extension: 'sql', label: 'SQL: to read' },
];
