#pragma once

// From here on a crash of this process writes a report to the error stream before the process ends by the
// same signal: program, build id, signal, and the functions on the stack of the thread that crashed. It holds
// names and addresses within files only: no registers, no arguments, and nothing else from memory.
void carrel_report_crashes(void);
