import { serve } from '@lensforge/edge';
import { apiGateway } from './service.js';

await serve(apiGateway);
