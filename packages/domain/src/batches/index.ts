export { advanceBatches } from './advance.ts'
export { listBatches, listOwnBatches, readBatch, visibleBatches } from './read.ts'
export { cancelBatch, createBatch, previewBatch, previewRevert, retryBatch, revertBatch } from './request.ts'
export { stopBatchesAfterRestore } from './stop-after-restore.ts'
