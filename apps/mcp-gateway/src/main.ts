import { serve } from '@lensforge/edge';
import { mcpGateway } from './service.js';

await serve(mcpGateway);
