import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { operatorTexts } from '../view-texts/operator';
import { Action } from '../ui/action';

interface Props {
  schedule: shapes.ScheduleRecord;
  onChanged: () => Promise<void>;
}

/** Pauses or resumes a schedule, unless it is suspended: that ends when a person takes it over. */
export function PauseSchedule({ schedule: { id, enabled, suspendedReason }, onChanged }: Props) {
  const client = useClient();
  if (suspendedReason !== null) return null;
  const toggle = async (): Promise<void> => {
    await client.schedules.update(id, { enabled: !enabled });
    await onChanged();
  };
  return <Action onAct={toggle}>{enabled ? operatorTexts.pause : operatorTexts.resume}</Action>;
}
