export { type Bundle, type Holder, type Json, type Partner, PartnerFault } from './partner.js';
export { PartnerService } from './partner-service.js';
export { SandboxPartner } from './sandbox-partner.js';
