// Reads the minimum and maximum of a column for a scale, with progress and Stop. The results are typed into the rule, and stay there.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { isReal } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';
import { valueText } from '../../../grid/input/value-text.ts';
import type { TableTab } from '../../../workbench/tabs/table.ts';
import { useLatest } from '../../../ui/use-latest.ts';
import { CountingState } from './column-card.tsx';
import { useColumnProfile } from './use-column-profile.ts';

interface ScaleEndsProps {
  readonly tab: TableTab;
  readonly column: string;
  onMeasured(from: string, to: string): void;
}

export function ScaleEnds({ tab, column, onMeasured }: ScaleEndsProps): ReactNode {
  const counted = useColumnProfile(tab, column, null, '');
  const { profile, progress, isStopped, error } = counted;
  const isComplete = profile !== null && progress === null && !isStopped && error === null;
  const [from, to] = isComplete ? [profile.least, profile.greatest] : [null, null];
  const hasEnds = isNumber(from) && isNumber(to);
  const latest = useLatest(onMeasured);
  useEffect(() => {
    if (hasEnds) latest.current(valueText(from), valueText(to));
  }, [latest, hasEnds, from, to]);
  if (isComplete && !hasEnds)
    return <p className="color-card-note">This column has values that are not numbers. Enter the ends of the scale.</p>;
  return <CountingState counted={counted} />;
}

const isNumber = (value: Value): boolean => typeof value === 'number' || typeof value === 'bigint' || isReal(value);
