import { CommandLog, type CommandRecord } from './command-log.js';
import type { JobFailure } from './failure-log.js';
import { COMMAND_BYTES, TOUCH_BYTES, type FrameBlock } from './frame-block.js';
import { TouchLog, type TouchRecord } from './touch-log.js';

/** What the jobs of a wave left behind, on the owner's thread and on workers. */
export class WaveLogs {
  /** What jobs on this thread asked for. */
  readonly commands: CommandLog = new CommandLog(new ArrayBuffer(COMMAND_BYTES), 0, COMMAND_BYTES);
  /** What they reported as changed. */
  readonly touches: TouchLog = new TouchLog(new ArrayBuffer(TOUCH_BYTES), 0, TOUCH_BYTES);
  /** What they threw. */
  readonly failures: JobFailure[] = [];
  readonly #frame: FrameBlock;

  constructor(frame: FrameBlock) {
    this.#frame = frame;
  }

  /** Takes what all jobs threw, in order of their rows. */
  takeFailures(): JobFailure[] {
    const failures = this.failures.splice(0);
    for (let worker = 0; worker < this.#frame.memory.workers; worker++) {
      const log = this.#frame.failuresOf(worker);
      if (!log.isEmpty) failures.push(...log.drain());
    }
    return failures.sort((a, b) => a.part - b.part || a.start - b.start);
  }

  /** Takes what all jobs asked for. */
  takeCommands(): CommandRecord[] {
    const records = this.commands.isEmpty ? [] : this.commands.drain();
    for (let worker = 0; worker < this.#frame.memory.workers; worker++) {
      const log = this.#frame.commandsOf(worker);
      if (!log.isEmpty) records.push(...log.drain());
    }
    return records;
  }

  /** Takes what all jobs reported as changed. */
  takeTouches(): TouchRecord[] {
    const touched = this.touches.isEmpty ? [] : this.touches.drain();
    for (let worker = 0; worker < this.#frame.memory.workers; worker++) {
      const log = this.#frame.touchesOf(worker);
      if (!log.isEmpty) touched.push(...log.drain());
    }
    return touched;
  }
}
