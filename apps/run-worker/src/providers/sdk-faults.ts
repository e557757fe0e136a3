import { ProviderFault } from './provider.js';
import { faultOfCall, faultOfFrame, faultOfNetwork } from './wire-fault.js';

export const endedEarly = () => new ProviderFault('unavailable', 'its answer ended early');

interface Circumstances {
  signal: AbortSignal;
  /** Left out of messages. */
  apiKey: string | undefined;
}

/** Translates what a client library throws: the reason of the signal if it has aborted, or else a fault of the provider. */
export async function faultReader(): Promise<(reason: unknown, of: Circumstances) => unknown> {
  const { APICallError, InvalidResponseDataError } = await import('@ai-sdk/provider');
  return (reason, { signal, apiKey }) => {
    if (signal.aborted) return signal.reason as unknown;
    if (reason instanceof ProviderFault) return reason;
    const secrets = apiKey === undefined ? [] : [apiKey];
    const network = faultOfNetwork(reason);
    if (network) return network;
    if (APICallError.isInstance(reason) && reason.statusCode !== undefined)
      return faultOfCall(reason, secrets, Date.now());
    // The answer ended without a reason.
    if (InvalidResponseDataError.isInstance(reason) && reason.data === undefined) return endedEarly();
    return reason instanceof Error
      ? new ProviderFault('broken', 'its answer could not be read')
      : faultOfFrame(reason, secrets);
  };
}
