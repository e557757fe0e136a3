import { expect, it } from '@jest/globals';
import { parseHeaders } from './headers.js';

it('reads pasted headers', () => {
  expect(parseHeaders('Webhook-Id: 1\r\n webhook-signature : v1,a= \n\nnonsense')).toEqual({
    'webhook-id': '1',
    'webhook-signature': 'v1,a=',
  });
});
