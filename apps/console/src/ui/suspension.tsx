import type { shapes } from '@lensforge/sdk';
import { delegationsTexts } from '../view-texts/delegations';
import { Status } from './status';

/** The suspension of something that acts later, with its reason. */
export const Suspension = ({ reason }: { reason: shapes.ScheduleRecord['suspendedReason'] }) =>
  reason !== null && (
    <>
      <Status value="suspended" /> {delegationsTexts.reasons[reason]}
    </>
  );
