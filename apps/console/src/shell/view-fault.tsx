import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { texts } from '../texts';
import { Fault } from '../ui/fault';
import { Page } from '../ui/page';

/** A view that threw. */
export const ViewFault = ({ error, reset }: ErrorComponentProps) => <Fault error={error} onRetry={reset} />;

/** An address without a view. */
export const NoView = () => (
  <Page title={texts.faults.missing}>
    <Link to="/runs">{texts.runs.title}</Link>
  </Page>
);
