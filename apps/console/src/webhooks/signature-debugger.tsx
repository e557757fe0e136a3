import { webhooks } from '@lensforge/sdk';
import { useState } from 'react';
import { texts } from '../texts';
import { Form, fieldOf } from '../ui/form';
import { Json } from '../ui/json';
import { headersOf } from './headers';

/** Checks the signature of a pasted delivery in this page, whatever its age. */
export function SignatureDebugger() {
  const [event, setEvent] = useState<unknown>();
  const check = async (values: FormData): Promise<void> => {
    setEvent(undefined);
    const body = values.get('body');
    const secret = fieldOf(values, 'secret');
    const headers = headersOf(fieldOf(values, 'headers'));
    const toleranceSeconds = Number.MAX_SAFE_INTEGER;
    setEvent(await webhooks.verify(typeof body === 'string' ? body : '', headers, secret, { toleranceSeconds }));
  };
  return (
    <section className="panel">
      <p className="quiet">{texts.webhooks.debuggerHint}</p>
      <Form onSend={check} action={texts.webhooks.check}>
        <label>
          {texts.webhooks.body}
          <textarea className="code" name="body" rows={6} required spellCheck={false} />
        </label>
        <label>
          {texts.webhooks.headers}
          <textarea
            className="code"
            name="headers"
            rows={4}
            required
            spellCheck={false}
            placeholder={'webhook-id: …\nwebhook-timestamp: …\nwebhook-signature: v1,…'}
          />
        </label>
        <label>
          {texts.webhooks.signingSecret}
          <input name="secret" type="password" required autoComplete="off" placeholder="whsec_…" />
        </label>
      </Form>
      {event !== undefined && (
        <div role="status">
          <p>{texts.webhooks.valid}</p>
          <Json value={event} label={texts.webhooks.valid} />
        </div>
      )}
    </section>
  );
}
