/* SPDX-License-Identifier: MIT */
#include "states.h"

/* clang-format off */
const struct state nosv_states[] = {
	{ "VS[", "VS]" }, { "VSh", "VSf" }, { "VSN", "VSn" }, { "VU[", "VU]" },
	{ "VMa", "VMA" }, { "VMf", "VMF" }, { "VAr", "VAR" }, { "VAd", "VAD" },
	{ "VAs", "VAS" }, { "VAp", "VAP" }, { "VAy", "VAY" }, { "VAw", "VAW" },
	{ "VAc", "VAC" }, { "VAa", "VAA" }, { "VAe", "VAE" }, { "VAl", "VAL" },
	{ "VAt", "VAT" }, { "VAu", "VAU" }, { "VAb", "VAB" }, { "VAo", "VAO" },
	{ "VAg", "VAG" }, { "VAk", "VAK" }, { "VAj", "VAJ" }, { "VAm", "VAM" },
	{ "VAi", "VAI" }, { "VAn", "VAN" }, { "VHw", "VHW" }, { "VHd", "VHD" },
	{ "", "" },
};

const struct state nodes_states[] = {
	{ "DR[", "DR]" }, { "DU[", "DU]" }, { "DW[", "DW]" }, { "DI[", "DI]" },
	{ "DT[", "DT]" }, { "DC[", "DC]" }, { "DS[", "DS]" }, { "DP[", "DP]" },
	{ "", "" },
};

const struct state tampi_states[] = {
	{ "TCi", "TCI" }, { "TGc", "TGC" }, { "TLi", "TLI" }, { "TLp", "TLP" },
	{ "TQa", "TQA" }, { "TQt", "TQT" }, { "TRc", "TRC" }, { "TRt", "TRT" },
	{ "TRa", "TRA" }, { "TRs", "TRS" }, { "TTc", "TTC" }, { "TTw", "TTW" },
	{ "", "" },
};

const struct state mpi_states[] = {
	{ "MUi", "MUI" }, { "MUt", "MUT" }, { "MUf", "MUF" }, { "MW[", "MW]" },
	{ "MWa", "MWA" }, { "MWy", "MWY" }, { "MWs", "MWS" }, { "MT[", "MT]" },
	{ "MTa", "MTA" }, { "MTy", "MTY" }, { "MTs", "MTS" }, { "MR[", "MR]" },
	{ "MRs", "MRS" }, { "MRo", "MRO" }, { "Mr[", "Mr]" }, { "Mrs", "MrS" },
	{ "Mro", "MrO" }, { "MS[", "MS]" }, { "MSb", "MSB" }, { "MSr", "MSR" },
	{ "MSs", "MSS" }, { "Ms[", "Ms]" }, { "Msb", "MsB" }, { "Msr", "MsR" },
	{ "Mss", "MsS" }, { "MAg", "MAG" }, { "MAr", "MAR" }, { "MAa", "MAA" },
	{ "Mag", "MaG" }, { "Mar", "MaR" }, { "Maa", "MaA" }, { "MCb", "MCB" },
	{ "MCs", "MCS" }, { "MCe", "MCE" }, { "Mcb", "McB" }, { "Mcs", "McS" },
	{ "Mce", "McE" }, { "MDb", "MDB" }, { "MDg", "MDG" }, { "MDs", "MDS" },
	{ "Mdb", "MdB" }, { "Mdg", "MdG" }, { "Mds", "MdS" }, { "ME[", "ME]" },
	{ "MEs", "MES" }, { "MEb", "MEB" }, { "Me[", "Me]" }, { "Mes", "MeS" },
	{ "Meb", "MeB" },
	{ "", "" },
};

const struct state openmp_states[] = {
	{ "PBb", "PBB" }, { "PBj", "PBJ" }, { "PBf", "PBF" }, { "PBt", "PBT" },
	{ "PIa", "PIA" }, { "PIr", "PIR" }, { "PI[", "PI]" }, { "PWd", "PWD" },
	{ "PWc", "PWC" }, { "PWy", "PWY" }, { "PWs", "PWS" }, { "PWe", "PWE" },
	{ "PWi", "PWI" }, { "PTa", "PTA" }, { "PTc", "PTC" }, { "PTd", "PTD" },
	{ "PTr", "PTR" }, { "PT[", "PT]" }, { "PTi", "PTI" }, { "PTs", "PTS" },
	{ "PTg", "PTG" }, { "PTt", "PTT" }, { "PTw", "PTW" }, { "PTy", "PTY" },
	{ "PA[", "PA]" }, { "PMi", "PMI" }, { "PMu", "PMU" }, { "PH[", "PH]" },
	{ "PCi", "PCI" }, { "PCf", "PCF" },
	{ "", "" },
};

/* clang-format on */
