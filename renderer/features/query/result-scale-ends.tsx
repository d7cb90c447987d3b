// Reads the least and the greatest number of a column of a result, for a scale, with Stop.
import { Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { toAppError } from '#shared/protocol/errors.ts';
import { client } from '../../connection/database-client.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { Button } from '../../ui/button.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import type { ResultSource } from '../../workbench/rows/result-source.ts';

interface ResultScaleEndsProps {
  readonly source: ResultSource;
  /** Index among the shown columns. */
  readonly column: number;
  onMeasured(from: string, to: string): void;
}

export function ResultScaleEnds({ source, column, onMeasured }: ResultScaleEndsProps): ReactNode {
  /** Why there are none; null while they are read. */
  const [why, setWhy] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const latest = useLatest(onMeasured);
  useEffect(() => {
    const abort = new AbortController();
    running.current = abort;
    const params = { reader: source.reader, column: column + source.hiddenColumns };
    let isGone = false;
    client.call('chart.extremes', params, { signal: abort.signal }).then(
      ({ least, greatest }) => {
        if (isGone) return;
        if (least === null) setWhy('This column has no numbers.');
        else latest.current(valueText(least), valueText(greatest));
      },
      (thrown: unknown) => {
        const error = toAppError(thrown);
        if (!isGone) setWhy(error.code === 'stopped' ? 'Stopped. Enter the ends of the scale.' : error.message);
      },
    );
    return () => {
      isGone = true;
      abort.abort();
    };
  }, [source, column, latest]);
  if (why !== null)
    return (
      <p className="color-card-note" role="status">
        {why}
      </p>
    );
  return (
    <p className="color-card-note" role="status">
      Reading the ends of the scale…{' '}
      <Button size="small" variant="danger" onClick={() => running.current?.abort()}>
        <Square size={12} aria-hidden /> Stop
      </Button>
    </p>
  );
}
