// oclgrind.h: Oclgrind's own headers, most of which may be read only once in a translation unit.
#pragma once

#include "Context.h"
#include "Kernel.h"
#include "KernelInvocation.h"
#include "Memory.h"
#include "Plugin.h"
#include "Program.h"
#include "WorkGroup.h"
#include "WorkItem.h"
